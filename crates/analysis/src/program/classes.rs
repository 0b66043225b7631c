//! Classes and their relatives: which method a call means.

use std::collections::HashMap;

use super::{ClassEntry, ClassId, FunctionId, Program};
use crate::php::ir::{Class, Expr, Name};

/// A deeper hierarchy is a mistake: a class that extends itself.
const DEEPEST: usize = 40;
/// As many methods that a call may mean are looked at.
const MOST: usize = 8;

/// PHP's own classes for connections to databases.
const DATABASE_CLASSES: &[&str] =
    &["pdo", "mysqli", "sqlite3", "sqlitedatabase", "pdo\\mysql", "pdo\\pgsql", "pdo\\sqlite", "mysqli_stmt"];

/// Others of PHP's own and of its standards that give what comes from outside of the program: rows, files, requests.
const OUTSIDE_CLASSES: &[&str] = &[
    "mysqli_result",
    "pdostatement",
    "sqlite3result",
    "sqlite3stmt",
    "pgsql\\result",
    "splfileobject",
    "directoryiterator",
    "psr\\http\\message\\messageinterface",
    "psr\\http\\message\\requestinterface",
    "psr\\http\\message\\serverrequestinterface",
    "psr\\http\\message\\responseinterface",
    "psr\\http\\message\\streaminterface",
    "psr\\http\\message\\uploadedfileinterface",
    "psr\\http\\message\\uriinterface",
    "symfony\\component\\httpfoundation\\request",
];

impl Program {
    pub(super) fn add_class(&mut self, file: u32, first: FunctionId, class: Class) -> ClassId {
        let id = self.classes.len() as ClassId;
        let methods: HashMap<Name, FunctionId> = class
            .methods
            .iter()
            .map(|local| {
                let id = first + local;
                (Name::from(self.functions[id as usize].function.name.to_lowercase()), id)
            })
            .collect();
        // Of several classes of a name, the one with the most methods is no stub.
        let known = self.classes_by_name.get(&class.name).copied();
        if known.is_none_or(|known| self.classes[known as usize].methods.len() < methods.len()) {
            self.classes_by_name.insert(class.name.clone(), id);
        }
        self.classes.push(ClassEntry {
            name: class.name.clone(),
            shown: class.shown.clone(),
            file: Some(file),
            class: Some(class),
            methods,
            parents: Vec::new(),
            interfaces: Vec::new(),
            traits: Vec::new(),
            children: Vec::new(),
            lineage: Vec::new(),
        });
        id
    }

    /// Finds the relatives of all classes. Those that the program only names become classes without anything.
    pub(super) fn relate(&mut self) {
        let mut mentioned: Vec<Name> = Vec::new();
        for class in self.classes.iter().filter_map(|entry| entry.class.as_ref()) {
            mentioned.extend(class.parents.iter().chain(&class.interfaces).chain(&class.traits).cloned());
            mentioned.extend(class.properties.iter().flat_map(|property| property.classes.iter().cloned()));
        }
        for entry in &self.functions {
            mentioned.extend(entry.function.returns.iter().cloned());
            mentioned.extend(
                entry.function.parameters.iter().flat_map(|parameter| parameter.classes.iter().cloned()),
            );
        }
        for name in DATABASE_CLASSES {
            mentioned.push(Name::from(*name));
        }
        for name in mentioned {
            if !self.classes_by_name.contains_key(&name) {
                let id = self.classes.len() as ClassId;
                self.classes_by_name.insert(name.clone(), id);
                self.classes.push(ClassEntry {
                    shown: name.clone(),
                    name,
                    file: None,
                    class: None,
                    methods: HashMap::new(),
                    parents: Vec::new(),
                    interfaces: Vec::new(),
                    traits: Vec::new(),
                    children: Vec::new(),
                    lineage: Vec::new(),
                });
            }
        }
        for id in 0..self.classes.len() {
            let Some(class) = &self.classes[id].class else { continue };
            let find = |names: &[Name]| -> Vec<ClassId> {
                names.iter().filter_map(|name| self.classes_by_name.get(name)).copied().collect()
            };
            let (parents, interfaces, traits) =
                (find(&class.parents), find(&class.interfaces), find(&class.traits));
            for relative in parents.iter().chain(&interfaces).chain(&traits) {
                self.classes[*relative as usize].children.push(id as ClassId);
            }
            let entry = &mut self.classes[id];
            entry.parents = parents;
            entry.interfaces = interfaces;
            entry.traits = traits;
        }
        for id in 0..self.classes.len() {
            self.classes[id].lineage = self.ancestors(id as ClassId);
        }
    }

    pub(crate) fn class(&self, id: ClassId) -> &ClassEntry {
        &self.classes[id as usize]
    }

    pub(crate) fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes_by_name.get(name).copied()
    }

    /// A class and what it extends, nearest first.
    pub(crate) fn lineage(&self, id: ClassId) -> &[ClassId] {
        &self.class(id).lineage
    }

    fn ancestors(&self, id: ClassId) -> Vec<ClassId> {
        let mut lineage = vec![id];
        let mut at = id;
        while let Some(parent) = self.class(at).parents.first().copied() {
            if lineage.contains(&parent) || lineage.len() >= DEEPEST {
                break;
            }
            lineage.push(parent);
            at = parent;
        }
        lineage
    }

    /// Whether a class is another, or extends or implements it.
    pub(crate) fn is_a(&self, id: ClassId, other: ClassId) -> bool {
        let mut open = vec![id];
        let mut seen = Vec::new();
        while let Some(at) = open.pop() {
            if at == other {
                return true;
            }
            if seen.contains(&at) || seen.len() > 200 {
                continue;
            }
            seen.push(at);
            let class = self.class(at);
            open.extend(class.parents.iter().chain(&class.interfaces));
        }
        false
    }

    /// Whether an object of a class is one of PHP's own connections to a database.
    pub(crate) fn is_database(&self, id: ClassId) -> bool {
        self.lineage(id).iter().any(|id| DATABASE_CLASSES.contains(&&*self.class(*id).name))
    }

    /// Whether what the methods of an object of a class give comes from outside of the program, where they are not part of it.
    pub(crate) fn gives_outside(&self, id: ClassId) -> bool {
        let gives = |id: &ClassId| {
            let name = &*self.class(*id).name;
            DATABASE_CLASSES.contains(&name) || OUTSIDE_CLASSES.contains(&name)
        };
        self.lineage(id).iter().any(|id| gives(id) || self.class(*id).interfaces.iter().any(gives))
    }

    /// The method that an object of a class has.
    pub(crate) fn method(&self, class: ClassId, name: &str) -> Option<FunctionId> {
        self.lineage(class).iter().find_map(|id| {
            let id = *id;
            let entry = self.class(id);
            entry.methods.get(name).copied().or_else(|| self.trait_method(id, name, 0))
        })
    }

    fn trait_method(&self, class: ClassId, name: &str, depth: usize) -> Option<FunctionId> {
        if depth > 8 {
            return None;
        }
        self.class(class).traits.iter().find_map(|used| {
            self.class(*used).methods.get(name).copied().or_else(|| self.trait_method(*used, name, depth + 1))
        })
    }

    /// The methods that a call on some object of a class may mean: its own, or where it has only promised one, those of
    /// the classes that keep the promise.
    pub(crate) fn methods_of(&self, class: ClassId, name: &str) -> Vec<FunctionId> {
        let own = self.method(class, name);
        if let Some(own) = own
            && !self.function(own).function.is_abstract
        {
            return vec![own];
        }
        let mut found = Vec::new();
        let mut open = vec![class];
        let mut seen = Vec::new();
        while let Some(at) = open.pop() {
            if seen.contains(&at) || seen.len() > 400 {
                continue;
            }
            seen.push(at);
            if at != class
                && let Some(method) = self.class(at).methods.get(name).copied()
                && !self.function(method).function.is_abstract
            {
                found.push(method);
            } else if at != class
                && let Some(method) = self.method(at, name)
                && !self.function(method).function.is_abstract
            {
                // A class that promises by an interface what it got from its parent.
                found.push(method);
            }
            open.extend(&self.class(at).children);
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST);
        found
    }

    /// The value of a class' constant, and the class that has it.
    pub(crate) fn class_constant(&self, class: ClassId, name: &str) -> Option<(ClassId, &Expr)> {
        let mut open = self.lineage(class).to_vec();
        let interfaces: Vec<ClassId> = open
            .iter()
            .flat_map(|id| self.class(*id).interfaces.iter().chain(&self.class(*id).traits).copied())
            .collect();
        open.extend(interfaces);
        open.into_iter().find_map(|id| {
            let class = self.class(id).class.as_ref()?;
            class.constants.iter().find(|(known, _)| &**known == name).map(|(_, value)| (id, value))
        })
    }

    /// A property as a class or what it extends declares it.
    pub(crate) fn property(
        &self,
        class: ClassId,
        name: &str,
    ) -> Option<(ClassId, &crate::php::ir::Property)> {
        let lineage = self.lineage(class);
        let traits = lineage.iter().flat_map(|id| self.class(*id).traits.iter().copied());
        let all: Vec<ClassId> = lineage.iter().copied().chain(traits).collect();
        all.into_iter().find_map(|id| {
            let class = self.class(id).class.as_ref()?;
            class.properties.iter().find(|property| &*property.name == name).map(|property| (id, property))
        })
    }
}
