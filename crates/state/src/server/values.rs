//! A row's values, and its key, as bytes: comparable, hashable and storable as they are.

/// Marks a NULL where a length stands.
const NULL: u32 = u32::MAX;

/// Values in order, each NULL or bytes as the engine reads and writes them.
///
/// Equal values have equal bytes, so a key is one of these too.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Values(Vec<u8>);

impl Values {
    /// Values made of what a snapshot store kept.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = take(rest)?.1;
        }
        Some(Self(bytes.to_vec()))
    }

    /// The bytes to be kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a value.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) {
        match value {
            None => self.0.extend_from_slice(&NULL.to_le_bytes()),
            Some(value) => {
                // No engine takes a value of 4 GiB.
                self.0.extend_from_slice(&(value.len() as u32).to_le_bytes());
                self.0.extend_from_slice(value);
            }
        }
    }

    /// The values, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let mut rest = &self.0[..];
        std::iter::from_fn(move || {
            let (value, after) = take(rest)?;
            rest = after;
            Some(value)
        })
    }

    /// Some of the values, by their places.
    pub(crate) fn at(&self, places: &[usize]) -> Self {
        let all: Vec<Option<&[u8]>> = self.iter().collect();
        places.iter().map(|place| all.get(*place).copied().flatten()).collect()
    }
}

impl<'a> FromIterator<Option<&'a [u8]>> for Values {
    fn from_iter<I: IntoIterator<Item = Option<&'a [u8]>>>(values: I) -> Self {
        let mut made = Self::default();
        values.into_iter().for_each(|value| made.push(value));
        made
    }
}

fn take(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length);
    if length == NULL {
        return Some((None, rest));
    }
    let (value, rest) = rest.split_at_checked(length as usize)?;
    Some((Some(value), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_not_empty_and_all_comes_back() {
        let given: [Option<&[u8]>; 4] = [Some(b"a\0b"), None, Some(b""), Some(&[255; 300])];
        let values: Values = given.into_iter().collect();
        assert_eq!(values.iter().collect::<Vec<_>>(), given);
        assert_eq!(Values::from_bytes(values.bytes()).unwrap(), values);
        assert_eq!(values.at(&[2, 1]).iter().collect::<Vec<_>>(), [Some(&b""[..]), None]);
        assert_eq!(Values::from_bytes(&values.bytes()[..5]), None);
    }
}
