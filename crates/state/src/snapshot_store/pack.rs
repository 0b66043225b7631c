//! Compression of what the snapshot store keeps: a tag byte, then the bytes as they are or as one zstd frame.

use zstd::bulk::{Compressor, Decompressor};

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// Pages are small and saves are frequent: speed before size.
const LEVEL: i32 = 1;
/// No chunk, leaf, root or manifest comes near; a damaged frame must not make us allocate more.
const LARGEST: usize = 1 << 30;

/// Packs and unpacks, keeping zstd's working memory between calls.
#[derive(Default)]
pub(super) struct Packer {
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
}

impl Packer {
    pub(super) fn pack(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.compressor.is_none() {
            self.compressor = Compressor::new(LEVEL).ok();
        }
        let compressed = self.compressor.as_mut().and_then(|compressor| compressor.compress(bytes).ok());
        match compressed {
            Some(smaller) if smaller.len() < bytes.len() => tagged(ZSTD, &smaller),
            _ => tagged(PLAIN, bytes),
        }
    }

    /// The bytes that were packed, or none if this was not made by [`Packer::pack`].
    pub(super) fn unpack(&mut self, packed: &[u8]) -> Option<Vec<u8>> {
        let (&tag, rest) = packed.split_first()?;
        match tag {
            PLAIN => Some(rest.to_vec()),
            ZSTD => {
                let size = Decompressor::upper_bound(rest).filter(|size| *size <= LARGEST)?;
                if self.decompressor.is_none() {
                    self.decompressor = Decompressor::new().ok();
                }
                self.decompressor.as_mut()?.decompress(rest, size).ok()
            }
            _ => None,
        }
    }
}

fn tagged(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() + 1);
    packed.push(tag);
    packed.extend_from_slice(bytes);
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_and_damage_is_noticed() {
        let mut packer = Packer::default();
        for bytes in [&b""[..], b"short", &[7; 100_000]] {
            let packed = packer.pack(bytes);
            assert_eq!(packer.unpack(&packed).unwrap(), bytes);
        }
        assert!(packer.pack(&[7; 4096]).len() < 100);
        assert_eq!(packer.unpack(b""), None);
        assert_eq!(packer.unpack(b"\x01garbage"), None);
        assert_eq!(packer.unpack(b"\x09garbage"), None);
    }
}
