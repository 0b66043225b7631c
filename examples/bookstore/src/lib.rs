//! An online bookstore with faults that can be switched on: the demo's and the tests' subject.
