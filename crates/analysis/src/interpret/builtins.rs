//! PHP's own functions, as far as strings and arrays go through them.

use std::sync::Arc;

use super::calls::Arguments;
use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::{Call, Position};
use crate::value::{Alternative, Array, Hole, Key, Object, Piece, Template, Value};

/// Functions that change an argument.
const CHANGE_FIRST: &[&str] = &[
    "sort",
    "rsort",
    "usort",
    "uasort",
    "uksort",
    "asort",
    "arsort",
    "ksort",
    "krsort",
    "shuffle",
    "array_push",
    "array_pop",
    "array_shift",
    "array_unshift",
    "array_splice",
    "array_walk",
    "array_walk_recursive",
    "array_multisort",
    "natsort",
    "natcasesort",
    "settype",
    "reset",
    "end",
    "next",
    "prev",
];

/// Whether a function of PHP changes what it gets as an argument.
pub(super) fn changes(name: &str, argument: usize) -> bool {
    argument == 0 && CHANGE_FIRST.contains(&name)
        || matches!((name, argument), ("preg_match" | "preg_match_all", 2) | ("parse_str", 1))
}

pub(super) fn takes_reference(name: &str) -> bool {
    (0..3).any(|argument| changes(name, argument))
}

/// Functions that give their first argument, or something with the same words in the same order.
const SAME: &[&str] = &[
    "trim",
    "ltrim",
    "rtrim",
    "chop",
    "addslashes",
    "stripslashes",
    "nl2br",
    "htmlspecialchars",
    "htmlentities",
    "strip_tags",
    "utf8_encode",
    "utf8_decode",
    "strval",
    "stripcslashes",
    "wordwrap",
    "mb_convert_encoding",
    "html_entity_decode",
    "mysql_real_escape_string",
    "mysql_escape_string",
    "sqlite_escape_string",
    "pg_escape_string",
    "array_unique",
    "array_filter",
    "array_reverse",
    "array_values",
    "array_slice",
    "quotemeta",
    "escapeshellarg",
    "array_merge_recursive",
    "iterator_to_array",
];

/// Functions that give what is outside of the program: how their names begin.
const OUTSIDE: &[&str] = &[
    "mysql_fetch",
    "mysql_result",
    "mysqli_fetch",
    "pg_fetch",
    "sqlite_fetch",
    "sqlsrv_fetch",
    "odbc_",
    "oci_",
    "file_get_contents",
    "fgets",
    "fread",
    "fgetcsv",
    "fscanf",
    "stream_get",
    "readline",
    "readdir",
    "scandir",
    "glob",
    "getenv",
    "getopt",
    "parse_ini_file",
    "curl_exec",
    "filter_input",
    "shell_exec",
    "simplexml_load_file",
];

/// Whether a function turns objects that it gets into texts.
fn takes_text(name: &str) -> bool {
    const BEGINS: &[&str] = &["str", "mb_str", "mb_substr", "substr", "html", "preg_replace"];
    const OTHERS: &[&str] =
        &["trim", "ltrim", "rtrim", "addslashes", "ucfirst", "lcfirst", "quotemeta", "explode"];
    BEGINS.iter().any(|begin| name.starts_with(begin))
        || name.ends_with("printf")
        || name.ends_with("escape_string")
        || OTHERS.contains(&name)
}

fn reads_outside(name: &str) -> bool {
    name == "file" || OUTSIDE.iter().any(|begin| name.starts_with(begin))
}

/// As many items is an array made longer by.
const MOST_REPEATED: usize = 64;

impl<'p> Machine<'p> {
    /// What looks like a function and works on the variables of the caller.
    pub(super) fn special(&mut self, frame: &mut Frame, name: &str, call: &'p Call) -> Option<Value> {
        match name {
            "define" if call.arguments.len() >= 2 => {
                let constant = self.eval(frame, &call.arguments[0].value);
                let value = self.eval(frame, &call.arguments[1].value);
                let value = self.shared(&value);
                for name in constant.known_texts() {
                    self.writes.constants.entry(Arc::from(name)).or_default().join(&value);
                }
                Some(Value::bool(true))
            }
            "compact" => {
                let mut array = Array::default();
                let program = self.program;
                for argument in &call.arguments {
                    let names = self.eval(frame, &argument.value);
                    let nested: Vec<Value> = names
                        .arrays()
                        .flat_map(|array| array.items().iter().map(|(_, v)| v.clone()))
                        .collect();
                    for names in std::iter::once(&names).chain(&nested) {
                        for name in names.known_texts() {
                            let variables = &program.function(frame.function).function.variables;
                            if let Some(slot) = variables.iter().position(|known| &**known == name) {
                                array.set(Key::of(name), self.variable(frame, slot as u16));
                            }
                        }
                    }
                }
                Some(Value::array(array))
            }
            "extract" => {
                let first = call.arguments.first()?;
                let value = self.eval(frame, &first.value);
                let program = self.program;
                for array in value.arrays() {
                    for (key, value) in array.items() {
                        let Key::Name(name) = key else { continue };
                        let variables = &program.function(frame.function).function.variables;
                        if let Some(slot) = variables.iter().position(|known| known == name) {
                            self.set_variable(frame, slot as u16, value.clone());
                        }
                    }
                }
                Some(Value::unknown())
            }
            "func_get_args" => {
                let mut array = Array::default();
                frame.arguments.iter().for_each(|argument| array.push(argument.clone()));
                if frame.arguments.is_empty() {
                    array.add_somewhere(&Value::of_hole(Hole::open()));
                }
                Some(Value::array(array))
            }
            "func_get_arg" => {
                let number = self.eval(frame, &call.arguments.first()?.value);
                let number: usize = number.known()?.parse().ok()?;
                Some(frame.arguments.get(number).cloned().unwrap_or_else(Value::unknown))
            }
            "get_class" | "get_called_class" if call.arguments.is_empty() => {
                let class = frame.static_class.or(frame.class)?;
                Some(Value::text(&self.program.class(class).shown))
            }
            "array_push" | "array_unshift" if call.arguments.len() >= 2 => {
                let target = &call.arguments[0].value;
                let paths = self.session_paths(frame, target);
                if !paths.is_empty() {
                    return None;
                }
                let old = self.eval(frame, target);
                let mut new = Value::default();
                let values: Vec<Value> =
                    call.arguments[1..].iter().map(|argument| self.eval(frame, &argument.value)).collect();
                for array in old.arrays() {
                    let mut array = Array::clone(array);
                    values.iter().for_each(|value| array.push(value.clone()));
                    new.join(&Value::array(array));
                }
                if new.is_undefined() {
                    let mut array = Array::of_unknown(old.as_hole());
                    values.iter().for_each(|value| array.push(value.clone()));
                    new = Value::array(array);
                }
                self.assign(frame, target, &new);
                Some(Value::unknown())
            }
            _ => None,
        }
    }

    /// A function of PHP, or one that nobody knows.
    pub(super) fn builtin(
        &mut self,
        frame: &mut Frame,
        name: &str,
        arguments: Arguments<'p>,
        position: Position,
    ) -> Value {
        let arguments = if takes_text(name) { self.with_texts(arguments) } else { arguments };
        let first = arguments.get(0);
        match name {
            "sprintf" => format_all(&first, &arguments.values[1.min(arguments.values.len())..]),
            "vsprintf" => match arguments.get(1).alternatives() {
                [Alternative::Array(array)] if array.rest().is_none() => {
                    let values: Vec<Value> = array.items().iter().map(|(_, value)| value.clone()).collect();
                    format_all(&first, &values)
                }
                _ => format_all(&first, &[]),
            },
            "implode" | "join" => {
                let second = arguments.get(1);
                let (between, array) =
                    if first.arrays().next().is_some() { (second, first) } else { (first, second) };
                let between = between.to_templates().into_iter().next().unwrap_or_default();
                let between = if between.known().is_some() { between } else { Template::text(", ") };
                let mut value = Value::default();
                for alternative in array.alternatives() {
                    match alternative {
                        Alternative::Array(array) => {
                            let array = self.items_as_text(array);
                            value.join(&array.implode(&between));
                        }
                        Alternative::Unknown(hole) => {
                            value.join(&Value::template(Template::hole(hole.changed())))
                        }
                        _ => value.join(&Value::one(alternative.clone())),
                    }
                }
                if value.is_undefined() { Value::unknown() } else { value }
            }
            "explode" => {
                let text = arguments.get(1);
                match (first.known(), text.known()) {
                    (Some(between), Some(text)) if !between.is_empty() => {
                        let mut array = Array::default();
                        text.split(between).take(200).for_each(|part| array.push(Value::text(part)));
                        Value::array(array)
                    }
                    _ => Value::array(Array::of_unknown(text.as_hole())),
                }
            }
            "str_replace" | "str_ireplace" => replace(&first, &arguments.get(1), &arguments.get(2)),
            "preg_replace" | "preg_replace_callback" => arguments.get(2),
            "strtr" => match arguments.get(1).arrays().next() {
                Some(pairs) => {
                    let mut value = first.clone();
                    for (key, to) in pairs.items() {
                        value = replace(&key.value(), to, &value);
                    }
                    value
                }
                None => first,
            },
            "strtolower" | "mb_strtolower" => first.map_text(str::to_lowercase),
            "strtoupper" | "mb_strtoupper" => first.map_text(str::to_uppercase),
            "ucfirst" => first.map_text(|text| {
                let mut characters = text.chars();
                characters
                    .next()
                    .map(|c| c.to_uppercase().collect::<String>() + characters.as_str())
                    .unwrap_or_default()
            }),
            "lcfirst" => first.map_text(|text| {
                let mut characters = text.chars();
                characters
                    .next()
                    .map(|c| c.to_lowercase().collect::<String>() + characters.as_str())
                    .unwrap_or_default()
            }),
            "substr" | "mb_substr" => substring(&first, &arguments),
            "array_merge" | "array_replace" => {
                let mut merged = Array::default();
                for value in arguments.values.iter().chain(&arguments.rest) {
                    match value.alternatives() {
                        [Alternative::Array(array)] => merged.append(array),
                        all => {
                            for array in value.arrays() {
                                merged.append(array);
                            }
                            if all.iter().any(|a| matches!(a, Alternative::Unknown(_))) {
                                merged.add_somewhere(&Value::of_hole(value.as_hole()));
                            }
                        }
                    }
                }
                Value::array(merged)
            }
            "array_keys" => each_array(&first, |array| {
                let mut keys = Array::default();
                array.items().iter().for_each(|(key, _)| keys.push(key.value()));
                if let Some(rest) = array.rest() {
                    keys.add_somewhere(&Value::of_hole(rest.as_hole().source()));
                }
                keys
            }),
            "array_flip" => each_array(&first, |array| {
                let mut flipped = Array::default();
                for (key, value) in array.items() {
                    if let Some(name) = value.known() {
                        flipped.set(Key::of(name), key.value());
                    }
                }
                flipped
            }),
            "array_combine" => {
                let second = arguments.get(1);
                match (first.alternatives(), second.alternatives()) {
                    ([Alternative::Array(keys)], [Alternative::Array(values)]) => {
                        let mut array = Array::default();
                        for ((_, key), (_, value)) in keys.items().iter().zip(values.items()) {
                            if let Some(key) = key.known() {
                                array.set(Key::of(key), value.clone());
                            }
                        }
                        Value::array(array)
                    }
                    _ => Value::array(Array::of_unknown(first.as_hole().and(&second.as_hole()))),
                }
            }
            "array_fill" | "array_pad" => {
                let mut array = Array::default();
                array.add_somewhere(&arguments.get(2));
                Value::array(array)
            }
            "array_fill_keys" => each_array(&first, |array| {
                let mut filled = Array::default();
                for (_, key) in array.items() {
                    if let Some(key) = key.known() {
                        filled.set(Key::of(key), arguments.get(1));
                    }
                }
                filled
            }),
            "array_map" => self.map(frame, &first, &arguments.get(1), position),
            "array_walk" | "usort" | "uasort" | "uksort" | "register_shutdown_function" => {
                let callback = if name == "array_walk" { arguments.get(1) } else { first.clone() };
                let callback = if name.ends_with("sort") { arguments.get(1) } else { callback };
                let item = first.arrays().fold(Value::default(), |any, array| any.joined(&array.any()));
                let item = if item.is_undefined() { Value::unknown() } else { item };
                self.call_value(frame, &callback, Arguments::of(vec![item]), position);
                Value::unknown()
            }
            "array_shift" | "array_pop" | "current" | "reset" | "end" | "next" | "array_rand"
            | "array_search" => {
                let any = first.arrays().fold(Value::default(), |any, array| any.joined(&array.any()));
                if any.is_undefined() { Value::of_hole(first.as_hole()) } else { any }
            }
            "call_user_func" => {
                let rest = arguments.values.get(1..).unwrap_or_default().to_vec();
                self.call_value(frame, &first, Arguments::of(rest), position)
            }
            "call_user_func_array" => {
                let passed = arguments.get(1);
                let passed = match passed.alternatives() {
                    [Alternative::Array(array)] => {
                        let mut values =
                            Arguments::of(array.items().iter().map(|(_, v)| v.clone()).collect());
                        values.rest = array.rest().cloned();
                        values
                    }
                    _ => Arguments { rest: Some(Value::of_hole(passed.as_hole())), ..Arguments::default() },
                };
                self.call_value(frame, &first, passed, position)
            }
            "preg_match" | "preg_match_all" => {
                if let Some(Some(place)) = arguments.places.get(2) {
                    let found = Array::of_unknown(arguments.get(1).as_hole().computed());
                    self.assign(frame, place, &Value::array(found));
                }
                Value::unknown()
            }
            "constant" => match first.known() {
                Some(name) => self.constant(name, None),
                None => Value::unknown(),
            },
            "defined" | "function_exists" | "class_exists" | "method_exists" | "extension_loaded"
            | "in_array" | "array_key_exists" | "file_exists" | "is_callable" | "is_bool" | "ctype_digit" => {
                Value::unknown()
            }
            "is_array" => is(&first, |a| matches!(a, Alternative::Array(_))),
            "is_string" => is(&first, |a| matches!(a, Alternative::Text(_))),
            "is_object" => is(&first, |a| matches!(a, Alternative::Object(_) | Alternative::Closure(..))),
            "is_null" => is(&first, |a| matches!(a, Alternative::Null)),
            "is_numeric" | "is_int" => match first.known() {
                Some(text) => Value::bool(text.parse::<f64>().is_ok()),
                None => is(&first, |_| false).without_true(),
            },
            "count" | "sizeof" => match first.alternatives() {
                [Alternative::Array(array)] if array.rest().is_none() => {
                    Value::text(&array.items().len().to_string())
                }
                _ => Value::unknown(),
            },
            "get_class" => match first.objects().next() {
                Some(object) => Value::text(&self.program.class(self.class_of(object)).shown),
                None => Value::unknown(),
            },
            "str_repeat" => {
                match (first.known(), arguments.get(1).known().and_then(|n| n.parse::<usize>().ok())) {
                    (Some(text), Some(times)) if times <= MOST_REPEATED => Value::text(&text.repeat(times)),
                    _ => Value::of_hole(arguments.hole().computed()),
                }
            }
            "intval" | "floatval" | "abs" | "round" | "floor" | "ceil" | "max" | "min" | "time" | "date"
            | "strlen" | "mt_rand" | "rand" | "md5" | "sha1" | "microtime" | "uniqid" | "number_format"
            | "strtotime" | "crc32" | "json_encode" | "serialize" | "bin2hex" | "gmdate" | "mktime"
            | "hash" | "base64_encode" => Value::template(Template::hole(arguments.hole().computed())),
            "mysqli_connect" | "mysqli_init" => self.database("mysqli"),
            "mysqli_real_escape_string" | "mysqli_escape_string" => arguments.get(1),
            name if SAME.contains(&name) => first,
            name if reads_outside(name) => Value::outside(),
            _ => Value::of_hole(arguments.hole()),
        }
    }

    /// The same with objects as the texts that they turn into.
    fn with_texts(&mut self, mut arguments: Arguments<'p>) -> Arguments<'p> {
        for value in arguments.values.iter_mut().chain(&mut arguments.rest) {
            *value = match value.alternatives() {
                [Alternative::Array(array)] => Value::array(self.items_as_text(array)),
                _ => self.as_text(value.clone()),
            };
        }
        arguments
    }

    fn items_as_text(&mut self, array: &Array) -> Array {
        let has_objects = |value: &Value| value.objects().next().is_some();
        if !array.items().iter().any(|(_, value)| has_objects(value))
            && !array.rest().is_some_and(has_objects)
        {
            return array.clone();
        }
        let mut texts = Array::default();
        for (key, value) in array.items() {
            let value = self.as_text(value.clone());
            texts.set(key.clone(), value);
        }
        if let Some(rest) = array.rest() {
            let rest = self.as_text(rest.clone());
            texts.add_somewhere(&rest);
        }
        texts
    }

    fn database(&self, class: &str) -> Value {
        self.program
            .class_named(class)
            .map_or_else(Value::unknown, |class| Value::object(Object::Some(class)))
    }

    fn map(&mut self, frame: &mut Frame, callback: &Value, array: &Value, position: Position) -> Value {
        let [Alternative::Array(array)] = array.alternatives() else {
            let item = Value::of_hole(array.as_hole());
            let value = self.call_value(frame, callback, Arguments::of(vec![item]), position);
            return Value::array(Array::of_unknown(value.as_hole()));
        };
        let mut mapped = Array::default();
        for (key, value) in array.items().iter().take(MOST_REPEATED) {
            let value = self.call_value(frame, callback, Arguments::of(vec![value.clone()]), position);
            mapped.set(key.clone(), value);
        }
        if let Some(rest) = array.rest() {
            let value = self.call_value(frame, callback, Arguments::of(vec![rest.clone()]), position);
            mapped.add_somewhere(&value);
        }
        Value::array(mapped)
    }
}

fn is(value: &Value, test: impl Fn(&Alternative) -> bool) -> Value {
    let mut truth = None;
    for alternative in value.alternatives() {
        if matches!(alternative, Alternative::Unknown(_)) {
            return Value::unknown();
        }
        let this = test(alternative);
        if truth.is_some_and(|other| other != this) {
            return Value::unknown();
        }
        truth = Some(this);
    }
    truth.map_or_else(Value::unknown, Value::bool)
}

fn each_array(value: &Value, change: impl Fn(&Array) -> Array) -> Value {
    let mut all = Value::default();
    for array in value.arrays() {
        all.join(&Value::array(change(array)));
    }
    if all.is_undefined() { Value::array(Array::of_unknown(value.as_hole())) } else { all }
}

fn replace(from: &Value, to: &Value, subject: &Value) -> Value {
    let pairs: Vec<(String, Template)> = match (from.alternatives(), to) {
        ([Alternative::Text(from)], to) => {
            let to = to.to_templates().into_iter().next().unwrap_or_default();
            from.known().map(|from| (from.to_owned(), to)).into_iter().collect()
        }
        ([Alternative::Array(from)], to) => from
            .items()
            .iter()
            .enumerate()
            .filter_map(|(n, (_, from))| {
                let to = match to.arrays().next() {
                    Some(array) => array.items().get(n).map(|(_, value)| value.clone()).unwrap_or_default(),
                    None => to.clone(),
                };
                let to = if to.is_undefined() {
                    Template::default()
                } else {
                    to.to_templates().into_iter().next()?
                };
                Some((from.known()?.to_owned(), to))
            })
            .collect(),
        _ => Vec::new(),
    };
    let mut templates = subject.to_templates();
    for (from, to) in pairs.iter().filter(|(from, _)| !from.is_empty()) {
        for template in &mut templates {
            let mut replaced = Template::default();
            for piece in template.pieces() {
                match piece {
                    Piece::Hole(hole) => replaced.push_hole(hole.changed()),
                    Piece::Text(text) => {
                        for (n, part) in text.split(from.as_str()).enumerate() {
                            if n > 0 {
                                replaced.push(to);
                            }
                            replaced.push_text(part);
                        }
                    }
                }
            }
            *template = replaced;
        }
    }
    Value::templates(templates)
}

/// `substr`: exact where all is known; a start that is cut off takes as much of the text before the first hole.
fn substring(text: &Value, arguments: &Arguments<'_>) -> Value {
    let number = |n: usize| arguments.values.get(n).and_then(|value| value.known()?.parse::<i64>().ok());
    let (Some(start), length) = (number(1), number(2)) else { return Value::of_hole(text.as_hole()) };
    let mut value = Value::default();
    for template in text.to_templates() {
        let new = match (template.known(), arguments.values.len() > 2, length) {
            (Some(text), has_length, length) if !has_length || length.is_some() => {
                let all: Vec<char> = text.chars().collect();
                let size = all.len() as i64;
                let begin = if start < 0 { (size + start).max(0) } else { start.min(size) };
                let end = match length {
                    None => size,
                    Some(length) if length < 0 => (size + length).max(begin),
                    Some(length) => (begin + length).min(size),
                };
                Template::text(&all[begin as usize..end as usize].iter().collect::<String>())
            }
            // A comma too many is cut off.
            (_, true, Some(length)) if start == 0 && length < 0 => template,
            _ if start == 0 => template,
            _ => Template::hole(template.as_hole()),
        };
        value.join(&Value::template(new));
    }
    value
}

/// `sprintf`: every conversion is what is given for it.
fn format_all(format: &Value, values: &[Value]) -> Value {
    let mut all = Value::default();
    for template in format.to_templates() {
        let mut value = Value::text("");
        let mut next = 0;
        for piece in template.pieces() {
            match piece {
                Piece::Hole(hole) => value = value.concat(&Value::template(Template::hole(hole.changed()))),
                Piece::Text(text) => value = format_text(value, text, values, &mut next),
            }
        }
        all.join(&value);
    }
    all
}

fn format_text(mut value: Value, text: &str, values: &[Value], next: &mut usize) -> Value {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        value = value.concat(&Value::text(&rest[..at]));
        let after = &rest[at + 1..];
        if let Some(literal) = after.strip_prefix('%') {
            value = value.concat(&Value::text("%"));
            rest = literal;
            continue;
        }
        let end = after.find(|c: char| c.is_ascii_alphabetic());
        let Some(end) = end.filter(|end| after[..*end].chars().all(|c| "0123456789$.+-' #_*".contains(c)))
        else {
            value = value.concat(&Value::text("%"));
            rest = after;
            continue;
        };
        let which = match after[..end].split_once('$').and_then(|(number, _)| number.parse::<usize>().ok()) {
            Some(number) => number.wrapping_sub(1),
            None => {
                *next += 1;
                *next - 1
            }
        };
        let unknown = Value::template(Template::hole(Hole::default()));
        value = match values.get(which) {
            Some(given) if matches!(&after[end..=end], "s" | "i") => value.concat(given),
            Some(given) if given.known().is_some_and(|text| text.parse::<i64>().is_ok()) => {
                value.concat(given)
            }
            Some(given) => value.concat(&Value::template(Template::hole(given.as_hole().computed()))),
            None => value.concat(&unknown),
        };
        rest = &after[end + 1..];
    }
    value.concat(&Value::text(rest))
}
