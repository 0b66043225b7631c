//! The recording reverse proxy, and the sessionizer.
