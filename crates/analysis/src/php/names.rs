//! Names of a file: its namespace, its imports, and what a name in it means.

use std::collections::HashMap;
use std::sync::Arc;

use super::ir::Name;

/// What names mean where they stand.
#[derive(Debug, Default)]
pub(crate) struct Names {
    namespace: String,
    classes: HashMap<String, String>,
    functions: HashMap<String, String>,
    constants: HashMap<String, String>,
}

/// What is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Import {
    Class,
    Function,
    Constant,
}

impl Names {
    pub(crate) fn enter(&mut self, namespace: &str) {
        *self = Self { namespace: namespace.trim_matches('\\').to_owned(), ..Self::default() };
    }

    pub(crate) fn import(&mut self, import: Import, full: &str, alias: Option<&str>) {
        let full = full.trim_start_matches('\\');
        let alias = alias.unwrap_or_else(|| last(full));
        match import {
            Import::Class => self.classes.insert(alias.to_lowercase(), full.to_owned()),
            Import::Function => self.functions.insert(alias.to_lowercase(), full.to_owned()),
            Import::Constant => self.constants.insert(alias.to_owned(), full.to_owned()),
        };
    }

    /// The full name of something that is declared here.
    pub(crate) fn declared(&self, name: &str) -> String {
        if self.namespace.is_empty() { name.to_owned() } else { format!("{}\\{name}", self.namespace) }
    }

    /// The full name of a class, as it is written.
    pub(crate) fn class_shown(&self, name: &str) -> String {
        if let Some(full) = name.strip_prefix('\\') {
            return full.to_owned();
        }
        if let Some(rest) = relative(name) {
            return self.declared(rest);
        }
        let (first, rest) = name.split_once('\\').map_or((name, None), |(first, rest)| (first, Some(rest)));
        match (self.classes.get(&first.to_lowercase()), rest) {
            (Some(full), Some(rest)) => format!("{full}\\{rest}"),
            (Some(full), None) => full.clone(),
            (None, _) => self.declared(name),
        }
    }

    pub(crate) fn class(&self, name: &str) -> Name {
        Arc::from(self.class_shown(name).to_lowercase())
    }

    /// The full name of a function, and what it is where there is none of that name.
    pub(crate) fn function(&self, name: &str) -> (Name, Option<Name>) {
        let (full, other) = self.of(name, self.functions.get(&name.to_lowercase()));
        (Arc::from(full.to_lowercase()), other.map(|other| Arc::from(other.to_lowercase())))
    }

    pub(crate) fn constant(&self, name: &str) -> (Arc<str>, Option<Arc<str>>) {
        let (full, other) = self.of(name, self.constants.get(name));
        (Arc::from(full), other.map(Arc::from))
    }

    fn of(&self, name: &str, imported: Option<&String>) -> (String, Option<String>) {
        if let Some(full) = name.strip_prefix('\\') {
            return (full.to_owned(), None);
        }
        if let Some(full) = imported {
            return (full.clone(), None);
        }
        if name.contains('\\') {
            return (self.class_shown(name), None);
        }
        (self.declared(name), (!self.namespace.is_empty()).then(|| name.to_owned()))
    }
}

fn relative(name: &str) -> Option<&str> {
    const WORD: &str = "namespace\\";
    name.get(..WORD.len()).filter(|start| start.eq_ignore_ascii_case(WORD)).map(|_| &name[WORD.len()..])
}

/// What stands after the last backslash.
pub(crate) fn last(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_what_is_imported() {
        let mut names = Names::default();
        names.enter("App\\Web");
        names.import(Import::Class, "Lib\\Db", None);
        names.import(Import::Class, "Lib\\Store", Some("S"));
        names.import(Import::Function, "Lib\\run", None);
        for (name, full) in [
            ("Db", "lib\\db"),
            ("S\\Row", "lib\\store\\row"),
            ("Page", "app\\web\\page"),
            ("\\PDO", "pdo"),
            ("namespace\\X", "app\\web\\x"),
        ] {
            assert_eq!(&*names.class(name), full);
        }
        assert_eq!(names.function("run"), ("lib\\run".into(), None));
        assert_eq!(names.function("trim"), ("app\\web\\trim".into(), Some("trim".into())));
    }
}
