//! Ids of git objects. The trees are computed here because a git process costs more than they do; the
//! content of files is left to git, which cleans it and knows crafted collisions.

/// The bytes of an object's id: SHA-1 for a width of 20, SHA-256 for 32.
pub(crate) fn object_id(kind: &str, body: &[u8], width: usize) -> Vec<u8> {
    let mut all = format!("{kind} {}\0", body.len()).into_bytes();
    all.extend_from_slice(body);
    sum(&all, width)
}

/// The sum of some bytes, with the function that gives ids of this width.
pub(crate) fn sum(bytes: &[u8], width: usize) -> Vec<u8> {
    if width == 32 { sha256(bytes) } else { sha1(bytes) }
}

/// The message in blocks of 64 bytes, with the end that both functions demand.
fn blocks(message: &[u8]) -> impl Iterator<Item = [u8; 64]> {
    let whole = message.len() / 64 * 64;
    let (head, rest) = message.split_at(whole);
    let mut tail = rest.to_vec();
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    let all: Vec<[u8; 64]> = tail.as_chunks().0.to_vec();
    head.as_chunks().0.to_vec().into_iter().chain(all)
}

/// The first sixteen words of a block.
fn words(block: &[u8; 64], into: &mut [u32]) {
    for (word, four) in into.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*four);
    }
}

fn sha1(message: &[u8]) -> Vec<u8> {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in blocks(message) {
        let mut w = [0_u32; 80];
        words(&block, &mut w);
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(f)
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        add(&mut state, &[a, b, c, d, e]);
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn add(state: &mut [u32], with: &[u32]) {
    for (to, from) in state.iter_mut().zip(with) {
        *to = to.wrapping_add(*from);
    }
}

/// The beginnings of the cube roots of the first 64 primes.
const K: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

fn sha256(message: &[u8]) -> Vec<u8> {
    let mut state: [u32; 8] = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    for block in blocks(message) {
        let mut w = [0_u32; 64];
        words(&block, &mut w);
        for i in 16..64 {
            let (x, y) = (w[i - 15], w[i - 2]);
            let small = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let large = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w[i] = w[i - 16]
                .wrapping_add(small)
                .wrapping_add(w[i - 7])
                .wrapping_add(large);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, k) in w.iter().zip(K) {
            let one = h
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add((e & f) ^ (!e & g))
                .wrapping_add(k)
                .wrapping_add(*word);
            let two = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22))
                .wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(one));
            (d, c, b, a) = (c, b, a, one.wrapping_add(two));
        }
        add(&mut state, &[a, b, c, d, e, f, g, h]);
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::memory::hex;

    #[test]
    fn known_answers() {
        assert_eq!(hex(&sha1(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(
            hex(&sha256(b"abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let million = vec![b'a'; 1_000_000];
        assert_eq!(hex(&sha1(&million)), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
        assert_eq!(
            hex(&sha256(&million)),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }

    #[test]
    fn every_length_around_a_block_is_as_git_says() {
        // `git hash-object -t tree /dev/null`, and of blobs of n times "x".
        assert_eq!(
            hex(&object_id("tree", b"", 20)),
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        );
        assert_eq!(
            hex(&object_id("tree", b"", 32)),
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        );
        let dir = tempfile::tempdir().unwrap();
        for n in 40..140 {
            let body = "x".repeat(n);
            let path = dir.path().join(n.to_string());
            std::fs::write(&path, &body).unwrap();
        }
        let said = std::process::Command::new("sh")
            .args(["-c", "seq 40 139 | git hash-object --stdin-paths"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let ours: Vec<String> = (40..140)
            .map(|n| hex(&object_id("blob", "x".repeat(n).as_bytes(), 20)))
            .collect();
        assert_eq!(said.lines().collect::<Vec<_>>(), ours);
    }
}
