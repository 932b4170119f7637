#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proctor_testkit::fuzz::marker(bytes));
