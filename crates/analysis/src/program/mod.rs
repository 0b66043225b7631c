//! All files of an application together: its functions, classes, constants and files by name.

mod classes;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::php::ir::{Class, Function, Name, Unit};

/// A function of the program.
pub(crate) type FunctionId = u32;
/// A class of the program, or one that it only names.
pub(crate) type ClassId = u32;

/// A file.
#[derive(Debug)]
pub(crate) struct FileEntry {
    pub(crate) path: Arc<str>,
    /// Its first function: what stands outside of all others.
    pub(crate) first: FunctionId,
}

/// A function, and where it belongs.
#[derive(Debug)]
pub(crate) struct FunctionEntry {
    pub(crate) file: u32,
    pub(crate) class: Option<ClassId>,
    pub(crate) function: Function,
}

/// A class, and its relatives.
#[derive(Debug)]
pub(crate) struct ClassEntry {
    pub(crate) name: Name,
    pub(crate) shown: Arc<str>,
    pub(crate) file: Option<u32>,
    /// The class; nothing where the program only names it.
    pub(crate) class: Option<Class>,
    pub(crate) methods: HashMap<Name, FunctionId>,
    /// What it extends and uses, nearest first.
    pub(crate) parents: Vec<ClassId>,
    pub(crate) interfaces: Vec<ClassId>,
    pub(crate) traits: Vec<ClassId>,
    /// Itself and what it extends, nearest first.
    pub(crate) lineage: Vec<ClassId>,
    /// What extends, implements or uses it.
    pub(crate) children: Vec<ClassId>,
}

/// All files of an application together.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) files: Vec<FileEntry>,
    pub(crate) functions: Vec<FunctionEntry>,
    pub(crate) classes: Vec<ClassEntry>,
    functions_by_name: HashMap<Name, Vec<FunctionId>>,
    classes_by_name: HashMap<Name, ClassId>,
    methods_by_name: HashMap<Name, Vec<FunctionId>>,
    files_by_name: HashMap<String, Vec<u32>>,
    /// The names of methods of which one has a parameter that is a reference.
    referring: HashSet<Name>,
}

impl Program {
    pub(crate) fn of(units: Vec<(Arc<str>, Unit)>) -> Self {
        let mut program = Self::default();
        let mut local = Vec::with_capacity(units.len());
        for (path, unit) in units {
            let file = program.files.len() as u32;
            let first = program.functions.len() as FunctionId;
            let base = path.rsplit('/').next().unwrap_or(&path).to_owned();
            program.files_by_name.entry(base).or_default().push(file);
            program.files.push(FileEntry { path, first });
            local.push((file, first, unit.classes));
            for function in unit.functions {
                program.functions.push(FunctionEntry { file, class: None, function });
            }
        }
        let mut classes_of_files = Vec::with_capacity(local.len());
        for (file, first, classes) in local {
            let ids: Vec<ClassId> =
                classes.into_iter().map(|class| program.add_class(file, first, class)).collect();
            classes_of_files.push(ids);
        }
        for entry in &mut program.functions {
            entry.class = entry
                .function
                .class
                .and_then(|class| classes_of_files[entry.file as usize].get(class as usize))
                .copied();
        }
        program.relate();
        program.index();
        program
    }

    fn index(&mut self) {
        for (id, entry) in self.functions.iter().enumerate() {
            let id = id as FunctionId;
            if entry.class.is_none() && !entry.function.is_closure && &*entry.function.name != "{file}" {
                let name = Arc::from(entry.function.name.to_lowercase());
                self.functions_by_name.entry(name).or_default().push(id);
            }
        }
        for class in &self.classes {
            for (name, id) in &class.methods {
                self.methods_by_name.entry(name.clone()).or_default().push(*id);
            }
        }
        for (name, ids) in &self.methods_by_name {
            let refers =
                |id: &FunctionId| self.function(*id).function.parameters.iter().any(|p| p.by_reference);
            if ids.iter().any(refers) {
                self.referring.insert(name.clone());
            }
        }
        // Maps are in no order, and what is found must not depend on it.
        self.methods_by_name.values_mut().for_each(|ids| ids.sort_unstable());
    }

    pub(crate) fn function(&self, id: FunctionId) -> &FunctionEntry {
        &self.functions[id as usize]
    }

    /// The functions of a name: more than one where files define the same for different cases.
    pub(crate) fn functions_named(&self, full: &str, other: Option<&str>) -> &[FunctionId] {
        let found = self.functions_by_name.get(full);
        let found = found.or_else(|| other.and_then(|other| self.functions_by_name.get(other)));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn methods_named(&self, name: &str) -> &[FunctionId] {
        self.methods_by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether some method of a name has a parameter that is a reference.
    pub(crate) fn takes_reference(&self, method: &str) -> bool {
        if method.bytes().any(|b| b.is_ascii_uppercase()) {
            self.referring.contains(method.to_lowercase().as_str())
        } else {
            self.referring.contains(method)
        }
    }

    /// The file that an include means: the one whose path ends like it, and the nearest where several do.
    pub(crate) fn included(&self, from: u32, path: &str) -> Option<u32> {
        let mut wanted: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    wanted.pop();
                }
                part => wanted.push(part),
            }
        }
        let candidates = self.files_by_name.get(*wanted.last()?)?;
        let here = &self.files[from as usize].path;
        let score = |file: &u32| {
            let path = &self.files[*file as usize].path;
            let end = path.rsplit('/').zip(wanted.iter().rev()).take_while(|(a, b)| a == *b).count();
            let near = path.split('/').zip(here.split('/')).take_while(|(a, b)| a == b).count();
            (end, near)
        };
        candidates.iter().copied().max_by_key(|file| (score(file), std::cmp::Reverse(*file)))
    }
}
