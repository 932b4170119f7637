//! Links the static program of Linux to a fixed place. One that may lie anywhere corrects 18,000 addresses at each
//! start and copies the pages that hold them: a hundred page faults in each call (`docs/BENCHMARKS.md`).
//! Said to the linker alone, so that no crate is compiled differently.
//!
//! In a release what a hook call runs is put together as well (`hook.ld`).

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=hook.ld");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|found| found == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if linux && features.split(',').any(|feature| feature == "crt-static") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        println!("cargo:rustc-link-arg-benches=-no-pie");
        println!("cargo:rustc-link-arg-bins=-static");
        println!("cargo:rustc-link-arg-benches=-static");
        // Linkers other than LLVM's and GNU's know no such orders.
        let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
        if is("PROFILE", "release") && is("CARGO_CFG_TARGET_ARCH", "x86_64") && !flags.contains("fuse-ld") {
            let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
            println!("cargo:rustc-link-arg-bins=-Wl,-T,{folder}/hook.ld");
            println!("cargo:rustc-link-arg-benches=-Wl,-T,{folder}/hook.ld");
        }
    }
}
