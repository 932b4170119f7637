use super::*;
use crate::Repo;
use proptest::prelude::*;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

fn repo(format: &str) -> (TempDir, Repo) {
    let dir = TempDir::new().unwrap();
    let made = Command::new("git")
        .args(["init", "-q", "--object-format", format])
        .arg(dir.path().join("r"))
        .status()
        .unwrap();
    assert!(made.success());
    let repo = Repo::discover(&dir.path().join("r")).unwrap().unwrap();
    (dir, repo)
}

fn body(i: usize) -> Vec<u8> {
    format!("{i}\n").repeat(i % 90 + 1).into_bytes()
}

/// Keeps some blobs, a stock for each, and gives their ids.
fn keep(trees: &Trees<'_>, which: Range<usize>, width: usize) -> Vec<Vec<u8>> {
    which
        .map(|i| {
            let oid = object_id("blob", &body(i), width);
            let stock = Stock::of(trees);
            stock.put(&oid, "blob", body(i));
            stock.save().unwrap();
            oid
        })
        .collect()
}

/// What git says of them: the length of each.
fn by_git(trees: &Trees<'_>, oids: &[Vec<u8>]) -> Vec<String> {
    let names: Vec<String> = oids.iter().map(|o| super::super::memory::hex(o)).collect();
    let call = trees
        .git(None, Instant::now() + Duration::from_secs(30))
        .args(["cat-file", "--batch-check=%(objectsize)"])
        .stdin(names.join("\n"));
    let said = run(&call).unwrap();
    String::from_utf8(said.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn sizes(which: Range<usize>) -> Vec<String> {
    which.map(|i| body(i).len().to_string()).collect()
}

fn loose(trees: &Trees<'_>) -> usize {
    let folders = fs::read_dir(trees.objects()).unwrap().flatten();
    folders
        .filter(|e| e.file_name().len() == 2)
        .map(|e| fs::read_dir(e.path()).unwrap().count())
        .sum()
}

fn packs(trees: &Trees<'_>) -> usize {
    fs::read_dir(trees.objects().join("pack")).map_or(0, |folder| {
        folder
            .flatten()
            .filter(|e| e.path().extension().is_some_and(|x| x == "pack"))
            .count()
    })
}

#[test]
fn git_gets_what_it_asks_for() {
    for (format, width) in [("sha1", 20), ("sha256", 32)] {
        let (dir, repo) = repo(format);
        let trees = repo.trees(&dir.path().join("cache"));
        trees.ready().unwrap();
        let few = keep(&trees, 0..FEW, width);
        assert_eq!((loose(&trees), packs(&trees)), (0, 0));
        assert_eq!(by_git(&trees, &few), sizes(0..FEW));
        assert_eq!((loose(&trees), packs(&trees)), (FEW, 0));
        // Only what is new, and many at once in a pack.
        let many = keep(&trees, FEW..300, width);
        assert_eq!(by_git(&trees, &many), sizes(FEW..300));
        assert_eq!((loose(&trees), packs(&trees)), (FEW, 1));
        let heap = fs::read(trees.heap()).unwrap();
        // Neither what is there again, nor a second question.
        keep(&trees, 0..300, width);
        assert_eq!(by_git(&trees, &few), sizes(0..FEW));
        assert_eq!(fs::read(trees.heap()).unwrap(), heap);
        assert_eq!((loose(&trees), packs(&trees)), (FEW, 1));
    }
}

#[test]
fn it_stays_small_and_nothing_is_lost() {
    let (dir, repo) = repo("sha1");
    let trees = repo.trees(&dir.path().join("cache"));
    trees.ready().unwrap();
    let mut oids = Vec::new();
    for i in 0..200 {
        let content = vec![u8::try_from(i).unwrap(); 10_000];
        let stock = Stock::of(&trees);
        oids.push(object_id("blob", &content, 20));
        stock.put(&oids[i], "blob", content);
        stock.save().unwrap();
        assert!(fs::metadata(trees.heap()).unwrap().len() <= FULL as u64);
        let heap = Heap::open(&trees.heap());
        assert!(heap.find(&oids[i]).is_some());
        assert!(i < 9 || heap.find(&oids[i - 9]).is_some());
    }
    assert_eq!(by_git(&trees, &oids), vec!["10000"; 200]);
    assert_eq!((loose(&trees), packs(&trees) > 1), (0, true));
}

#[test]
fn large_objects_and_a_place_that_is_taken() {
    let (dir, repo) = repo("sha1");
    let trees = repo.trees(&dir.path().join("cache"));
    trees.ready().unwrap();
    let stock = Stock::of(&trees);
    let content = vec![1; LARGEST + 1];
    stock.put(&object_id("blob", &content, 20), "blob", content);
    stock.save().unwrap();
    assert_eq!(loose(&trees), 1);
    assert!(!trees.heap().exists());
    for make in ["mkdir", "mkfifo"] {
        let made = Command::new(make).arg(trees.heap()).status().unwrap();
        assert!(made.success());
        let oids = keep(&trees, 0..3, 20);
        assert_eq!(by_git(&trees, &oids), sizes(0..3));
        assert_eq!(loose(&trees), 4);
        if make == "mkdir" {
            fs::remove_dir(trees.heap()).unwrap();
        }
    }
}

#[test]
fn damage_costs_what_it_hit_and_what_stood_behind() {
    let (dir, repo) = repo("sha1");
    let trees = repo.trees(&dir.path().join("cache"));
    trees.ready().unwrap();
    let oids = keep(&trees, 0..20, 20);
    let whole = fs::read(trees.heap()).unwrap();
    let ends: Vec<usize> = Heap::open(&trees.heap())
        .records
        .iter()
        .map(|r| r.body.end)
        .collect();
    // Torn, at any place: what was whole is found, and what comes next stands behind it.
    for end in 0..whole.len() {
        fs::write(trees.heap(), &whole[..end]).unwrap();
        let heap = Heap::open(&trees.heap());
        let left = ends.iter().filter(|e| **e <= end).count();
        let found = oids.iter().filter(|o| heap.find(o).is_some()).count();
        assert_eq!(found, if end < HEAD.len() { 0 } else { left }, "{end}");
    }
    for end in [3, HEAD.len() + 2, START, ends[4], ends[4] + 1, ends[9] - 1] {
        fs::write(trees.heap(), &whole[..end]).unwrap();
        let again = keep(&trees, 30..34, 20);
        assert_eq!(by_git(&trees, &again), sizes(30..34), "{end}");
        assert_eq!(Heap::open(&trees.heap()).find(&again[3]).unwrap().1, body(33));
    }
    // A length that was changed behind which git was given everything.
    fs::write(trees.heap(), &whole).unwrap();
    assert_eq!(by_git(&trees, &oids), sizes(0..20));
    let mut bytes = fs::read(trees.heap()).unwrap();
    bytes[ends[4] + 2 + 20 + 3] = 0xff;
    fs::write(trees.heap(), &bytes).unwrap();
    let more = keep(&trees, 50..60, 20);
    assert_eq!(by_git(&trees, &more), sizes(50..60));
    // A body that is not what its id says is not given as something else.
    let changed = keep(&trees, 70..71, 20);
    let mut bytes = fs::read(trees.heap()).unwrap();
    *bytes.last_mut().unwrap() = b'x';
    fs::write(trees.heap(), &bytes).unwrap();
    assert!(by_git(&trees, &changed)[0].ends_with("missing"));
}

#[test]
fn many_write_at_once() {
    let (dir, repo) = repo("sha1");
    let trees = repo.trees(&dir.path().join("cache"));
    trees.ready().unwrap();
    std::thread::scope(|scope| {
        for part in 0..4 {
            let trees = &trees;
            scope.spawn(move || {
                keep(trees, part * 100..part * 100 + 60, 20);
                by_git(trees, &[]);
                keep(trees, part * 100 + 60..(part + 1) * 100, 20);
            });
        }
    });
    let oids: Vec<_> = (0..400).map(|i| object_id("blob", &body(i), 20)).collect();
    let heap = Heap::open(&trees.heap());
    assert!(oids.iter().all(|o| heap.find(o).is_some()));
    assert_eq!(by_git(&trees, &oids), sizes(0..400));
}

proptest! {
    #[test]
    fn any_bytes_are_a_heap(mut bytes in proptest::collection::vec(any::<u8>(), 0..300), head: bool) {
        if head {
            let mut all = HEAD.to_vec();
            all.append(&mut bytes);
            bytes = all;
        }
        let heap = Heap::parse(bytes.clone());
        prop_assert!(heap.end <= bytes.len().max(START));
        prop_assert!(heap.records.iter().all(|r| r.body.end <= bytes.len()));
    }
}
