//! Buying: the cart, checking out, and the orders that come of it.

pub(crate) mod cart;
pub(crate) mod cart_line;
pub(crate) mod checkout;
pub(crate) mod orders;
