//! What is known of names, by a lookup that takes a few instructions: it is asked of every tag and attribute of
//! every page.

/// More than twice the names, so that few meet.
const SLOTS: usize = 512;

/// Bits by name. Made when the program is built.
pub(crate) struct Lookup {
    names: [&'static [u8]; SLOTS],
    bits: [u32; SLOTS],
}

impl Lookup {
    /// Without names.
    pub(crate) const fn new() -> Self {
        Self { names: [b""; SLOTS], bits: [0; SLOTS] }
    }

    /// The same, and these names have these bits, too.
    pub(crate) const fn with(mut self, names: &[&'static str], bits: u32) -> Self {
        let mut at = 0;
        while at < names.len() {
            let name = names[at].as_bytes();
            assert!(!name.is_empty());
            let mut slot = slot(name);
            while !self.names[slot].is_empty() && !same(self.names[slot], name) {
                slot = (slot + 1) % SLOTS;
            }
            self.names[slot] = name;
            self.bits[slot] |= bits;
            at += 1;
        }
        self
    }

    /// The bits of a name; none where it is not known.
    pub(crate) fn get(&self, name: &[u8]) -> u32 {
        self.find(name, |known| known == name)
    }

    /// The bits of a name in any case; none where it is not known. The names known are in lower case.
    pub(crate) fn get_in_any_case(&self, name: &[u8]) -> u32 {
        self.find(name, |known| known.eq_ignore_ascii_case(name))
    }

    fn find(&self, name: &[u8], is_it: impl Fn(&[u8]) -> bool) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let mut slot = slot(name);
        loop {
            let known = self.names[slot];
            if is_it(known) {
                return self.bits[slot];
            }
            if known.is_empty() {
                return 0;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// Where a name is looked for first; the same in any case.
const fn slot(name: &[u8]) -> usize {
    let length = name.len();
    let (first, middle, last) = (lower(name, 0), lower(name, length / 2), lower(name, length - 1));
    (length * 41 + first * 61 + middle * 7 + last * 29) % SLOTS
}

const fn lower(name: &[u8], at: usize) -> usize {
    name[at].to_ascii_lowercase() as usize
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_bits_wherever_they_meet() {
        const NAMES: &[&str] =
            &["a", "b", "td", "th", "tr", "table", "strike", "strong", "basefont", "abc", "acb", "axb"];
        static LOOKUP: Lookup = Lookup::new().with(NAMES, 1).with(&["b", "x"], 2);
        for name in NAMES {
            assert_eq!(LOOKUP.get(name.as_bytes()), if *name == "b" { 3 } else { 1 }, "{name}");
        }
        assert_eq!((LOOKUP.get(b"Table"), LOOKUP.get_in_any_case(b"Table")), (0, 1));
        assert_eq!([&b"x"[..], b"", b"t", b"tdx", b"c"].map(|name| LOOKUP.get(name)), [2, 0, 0, 0, 0]);
    }
}
