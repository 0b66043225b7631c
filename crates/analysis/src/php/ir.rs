//! What the analysis keeps of a PHP file: expressions and statements without the parser's arena, names resolved, variables
//! numbered, with positions where something can be found.

use std::sync::Arc;

/// A line and a column, both from 1. The column counts bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A name in lower case, as PHP compares functions, methods and classes.
pub(crate) type Name = Arc<str>;

/// The number of a variable in its function.
pub(crate) type Slot = u16;

/// The number of a function in its file.
pub(crate) type LocalFunction = u32;

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Text(Arc<str>),
    Null,
    Bool(bool),
    /// `$_SESSION`.
    Session(Position),
    /// `$GLOBALS`.
    Globals,
    This,
    Var(Slot, Position),
    /// `$$name`.
    VarNamed(Box<Expr>),
    /// `a[b]`; without a key: `a[]`.
    Index(Box<Expr>, Option<Box<Expr>>),
    Property(Box<Expr>, Box<Member>),
    StaticProperty(ClassName, Box<Member>),
    ClassConstant(ClassName, Name),
    /// A constant: its full name, and its name where it is not in the namespace.
    Constant(Arc<str>, Option<Arc<str>>),
    /// Strings one after the other.
    Concat(Vec<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    AssignReference(Box<Expr>, Box<Expr>),
    AssignConcat(Box<Expr>, Box<Expr>),
    AssignCoalesce(Box<Expr>, Box<Expr>),
    /// `+=` and the like, `++`, `--`: the new value is not followed.
    Modify(Box<Expr>, Option<Box<Expr>>),
    /// A comparison of two values for (in)equality.
    Equal(Box<Expr>, Box<Expr>, bool),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    /// `instanceof`.
    InstanceOf(Box<Expr>, ClassName),
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Coalesce(Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<(Vec<Expr>, Expr)>),
    Array(Vec<Item>),
    /// The value is unknown, and is never an array or an object.
    Cast(Cast, Box<Expr>),
    Isset(Vec<Expr>),
    Empty(Box<Expr>),
    Include(Box<Expr>),
    Call(Box<Call>),
    Closure(LocalFunction, Vec<(Slot, Slot, bool)>),
    /// Throws, exits: what follows is not reached.
    Leave(Vec<Expr>),
    /// Something that is not followed, made of these.
    Other(Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cast {
    Text,
    Array,
    Number,
    Bool,
}

/// An item of an array, or of a list that is assigned to.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) key: Option<Expr>,
    pub(crate) value: Expr,
    pub(crate) spread: bool,
    pub(crate) by_reference: bool,
}

/// How a property or method is named.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Named(Arc<str>),
    Computed(Expr),
}

/// How a class is named.
#[derive(Clone, Debug)]
pub(crate) enum ClassName {
    Named(Name),
    SelfClass,
    StaticClass,
    Parent,
    Computed(Box<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) position: Position,
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A function: its full name, and its name where it is not in the namespace.
    Function(Name, Option<Name>),
    /// A closure, a name in a variable, a callable array.
    Computed(Expr),
    Method(Expr, Member),
    Static(ClassName, Member),
    New(ClassName),
}

#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) value: Expr,
    pub(crate) spread: bool,
    pub(crate) name: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Expr(Expr),
    /// The condition, what is done if it holds, and if not.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop; whether its body is run at least once.
    Loop {
        condition: Vec<Expr>,
        body: Vec<Stmt>,
        after: Vec<Expr>,
        once: bool,
    },
    Foreach {
        subject: Expr,
        key: Option<Expr>,
        value: Expr,
        by_reference: bool,
        body: Vec<Stmt>,
    },
    Switch(Expr, Vec<(Option<Expr>, Vec<Stmt>)>),
    Try(Vec<Stmt>, Vec<(Option<Slot>, Vec<Stmt>)>, Vec<Stmt>),
    Return(Option<Expr>),
    /// `break` or `continue`.
    Jump,
    Global(Vec<(Slot, Arc<str>)>),
    Static(Vec<(Slot, Option<Expr>)>),
    Unset(Vec<Expr>),
    /// `define('NAME', …)` and `const NAME = …` outside of classes are calls and this.
    Constant(Arc<str>, Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) slot: Slot,
    pub(crate) name: Arc<str>,
    pub(crate) default: Option<Expr>,
    pub(crate) by_reference: bool,
    pub(crate) variadic: bool,
    /// The classes that it may be of, as the type or the comment says.
    pub(crate) classes: Vec<Name>,
    /// Whether it is also a property (constructor promotion).
    pub(crate) promoted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Arc<str>,
    pub(crate) position: Position,
    pub(crate) parameters: Vec<Parameter>,
    /// The names of its variables, by slot.
    pub(crate) variables: Vec<Arc<str>>,
    pub(crate) body: Vec<Stmt>,
    /// The class of the file that it is a method of.
    pub(crate) class: Option<u32>,
    pub(crate) is_static: bool,
    pub(crate) is_abstract: bool,
    /// Whether it is a closure.
    pub(crate) is_closure: bool,
    /// The classes that it may return an object of, as the type or the comment says.
    pub(crate) returns: Vec<Name>,
    /// How many nodes its body has.
    pub(crate) size: u32,
    /// Whether it includes a file, whose variables are then its own.
    pub(crate) includes: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Arc<str>,
    pub(crate) value: Option<Expr>,
    pub(crate) classes: Vec<Name>,
}

#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) shown: Arc<str>,
    pub(crate) parents: Vec<Name>,
    pub(crate) interfaces: Vec<Name>,
    pub(crate) traits: Vec<Name>,
    pub(crate) constants: Vec<(Name, Expr)>,
    pub(crate) properties: Vec<Property>,
    pub(crate) methods: Vec<LocalFunction>,
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its functions; the first is what stands outside of all others.
    pub(crate) functions: Vec<Function>,
    pub(crate) classes: Vec<Class>,
    /// What could not be read, and where.
    pub(crate) errors: Vec<(Position, String)>,
}
