//! What the fuzz targets share.

const BETWEEN: &[u8] = b"\n====\n";

/// The two sides of a comparison: what is before and after a line `====`; an input without one, and the same with a piece of it
/// left out.
pub fn pair(input: &[u8]) -> (Vec<u8>, Vec<u8>) {
    match input.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        Some(at) => (input[..at].to_vec(), input[at + BETWEEN.len()..].to_vec()),
        None => (input.to_vec(), [&input[..input.len() / 3], &input[input.len() / 2..]].concat()),
    }
}
