//! Files and folders of pages, for comparisons without a project.

mod file_pairs;
mod media_type;

pub(crate) use file_pairs::{FilePair, file_pairs, unreadable};
pub(crate) use media_type::media_type;
