//! The demo's bookstore: its project, its shoppers, and the story told of them.

mod folder;
mod shoppers;
mod story;

pub(crate) use folder::make_folder;
pub(crate) use shoppers::record_shoppers;
pub(crate) use story::Story;
