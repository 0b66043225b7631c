//! Any bytes are read as a file of GoReplay's: nothing panics, every message is an exchange, the answer to one, or counted,
//! and a second reading finds the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_capture::import::parse::gor_file;

fuzz_target!(|file: &[u8]| {
    let parsed = gor_file(file).expect("only a store can fail an import");
    let again = gor_file(file).expect("only a store can fail an import");
    assert_eq!(format!("{:?}", parsed.exchanges.len()), format!("{:?}", again.exchanges.len()));
    let divider = "\n🐵🙈🙉\n".as_bytes();
    let messages = 1 + file.windows(divider.len()).filter(|window| *window == divider).count();
    let told = parsed.exchanges.len() as u64 + parsed.unread + parsed.passed_over;
    assert!(told <= messages as u64, "{told} of {messages}");
});
