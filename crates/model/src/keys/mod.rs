//! Keys: what requests are called, and what that goes by.
//!
//! - `key`: a request's canonical name; `key_rules`: what it is made by beside the request;
//! - `path_template`: which parts of paths are values; `template_learner`: learning that from traffic;
//! - `page_parameter`: which parameters tell pages apart. Learning that takes pages: see `restage-suite`.

mod key;
mod key_rules;
mod page_parameter;
mod path_template;
mod template_learner;

pub use key::{Key, body_fields, key_without_values};
pub use key_rules::KeyRules;
pub use page_parameter::{PageParameter, PageParameterError, PageParameters, is_page_name};
pub use path_template::{PathTemplate, PathTemplateError, PathTemplates};
pub use template_learner::TemplateLearner;
