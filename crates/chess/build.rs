//! Decides at build time whether slider attacks are looked up by PEXT or by magic multiplication.
//!
//! PEXT is the faster of the two wherever the processor has it in hardware. AMD processors before Zen 3 (family 19h)
//! and Hygon's, which descend from the first Zen, advertise BMI2 but run PEXT in microcode, hundreds of cycles long, so a
//! build on one of those uses magics.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(fast_pext)");
    println!("cargo::rerun-if-changed=build.rs");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has_bmi2 = features.split(',').any(|feature| feature == "bmi2");
    let is_x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    if is_x86_64 && has_bmi2 && !host_has_slow_pext() {
        println!("cargo::rustc-cfg=fast_pext");
    }
}

#[cfg(target_arch = "x86_64")]
fn host_has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat();
    let signature = __cpuid(1).eax;
    let family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
    (vendor == b"AuthenticAMD" || vendor == b"HygonGenuine") && family < 0x19
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_slow_pext() -> bool {
    false
}
