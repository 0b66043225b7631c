//! A recorded page as it looked, in a frame that may do nothing.
//!
//! - `frame`: the page written anew from its tokens; `assets`: the style sheets and images that go into it;
//! - `changed_places`: what is outlined in it.

mod assets;
mod changed_places;
mod frame;

pub(crate) use assets::Assets;
pub(crate) use changed_places::changed_places;
pub(crate) use frame::{Part, framed};
