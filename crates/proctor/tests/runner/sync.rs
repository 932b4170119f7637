//! `proctor sync`: several clones, one bare remote, and remotes that mean no good.

use crate::support::environment;
use insta::assert_snapshot;
use proctor_ledger::{Draft, Durability, Stamp, Store};
use proctor_testkit::{Output, TestEnvironment};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(1);

/// A record of the given kind, as a command of Proctor would write it.
fn draft(kind: &str, test: bool, body: &Value) -> Draft {
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut random = [7; 10];
    for (to, from) in random.iter_mut().rev().zip(n.to_le_bytes()) {
        *to = from;
    }
    let stamp = Stamp {
        millis: 1_767_323_045_000 + n,
        random,
        test,
    };
    Draft::new(stamp, kind, body).unwrap()
}

/// A bare remote, and clones of it with a state folder each.
struct World {
    env: TestEnvironment,
    clones: Vec<PathBuf>,
}

impl World {
    fn new(count: usize) -> Self {
        let env = environment().with_real_clock();
        env.write_file("src/lib.rs", "pub fn x() {}\n");
        env.commit_all("start");
        let remote = env.root().join("remote.git");
        env.git(&["clone", "--quiet", "--bare", ".", &remote.to_string_lossy()]);
        let mut clones = Vec::new();
        for n in 0..count {
            let folder = env.root().join(format!("clone{n}"));
            env.git(&[
                "clone",
                "--quiet",
                &remote.to_string_lossy(),
                &folder.to_string_lossy(),
            ]);
            clones.push(folder);
        }
        let world = Self { env, clones };
        for n in 0..count {
            let _ = world.sync(n, &[]).exits(0);
        }
        world
    }

    fn remote(&self) -> PathBuf {
        self.env.root().join("remote.git")
    }

    fn sync(&self, clone: usize, more: &[&str]) -> Output {
        let args = [&["sync", "--json"], more].concat();
        self.env.run_with(&self.clones[clone], &args, b"")
    }

    fn report(&self, clone: usize, more: &[&str]) -> Value {
        self.sync(clone, more).data()["report"].clone()
    }

    fn store(&self, clone: usize) -> Store {
        let id = self.env.git_in(&self.clones[clone], &["config", "proctor.id"]);
        Store::open(self.env.state_home().join("proctor").join(id.trim()), true).unwrap()
    }

    /// Writes a record into a clone's log and gives its id.
    fn write(&self, clone: usize, writer: &str, kind: &str, test: bool) -> String {
        let draft = draft(kind, test, &json!({"tree": "t", "evidence": "0123456789abcdef"}));
        let id = draft.id().to_string();
        self.store(clone)
            .writer(writer)
            .append(&draft, Durability::Synced)
            .unwrap();
        id
    }

    /// Ids that a clone knows from others.
    fn claims(&self, clone: usize) -> BTreeSet<String> {
        let claims = self.store(clone).claims("").unwrap();
        assert_eq!(claims.rejected.len(), 0, "{:?}", claims.rejected);
        claims.records.iter().map(|c| c.record.id.to_string()).collect()
    }

    /// Replaces the remote's log by a commit with exactly these files: path, mode, content.
    fn plant(&self, files: &[(&str, &str, Vec<u8>)]) {
        let folder = self.env.root().join("evil");
        if !folder.exists() {
            self.env.git(&[
                "clone",
                "--quiet",
                &self.remote().to_string_lossy(),
                &folder.to_string_lossy(),
            ]);
        }
        let index = folder.join(".git/evil-index");
        let _ = std::fs::remove_file(&index);
        let git = |args: &[&str], input: &[u8]| {
            let mut command = self.env.command("git");
            command
                .current_dir(&folder)
                .args(args)
                .env("GIT_INDEX_FILE", &index);
            let output = self.env.finish(&mut command, input).exits(0);
            output.stdout().trim().to_owned()
        };
        let mut rows = String::new();
        for (path, mode, content) in files {
            let oid = git(&["hash-object", "-w", "--stdin"], content);
            rows.push_str(&format!("{mode} {oid}\t{path}\n"));
        }
        git(&["update-index", "--add", "--index-info"], rows.as_bytes());
        let tree = git(&["write-tree"], b"");
        let commit = git(&["commit-tree", "-m", "x", &tree], b"");
        git(
            &[
                "push",
                "--quiet",
                "--force",
                "origin",
                &format!("{commit}:refs/proctor/log"),
            ],
            b"",
        );
    }

    /// The text of the only lane that a clone published.
    fn lane(&self, clone: usize) -> (String, String) {
        let listing = self.env.git_in(
            &self.clones[clone],
            &["ls-tree", "-r", "--name-only", "refs/proctor/log"],
        );
        let id = self.env.git_in(&self.clones[clone], &["config", "proctor.id"]);
        let path = listing
            .lines()
            .find(|l| l.starts_with(id.trim()))
            .unwrap()
            .to_owned();
        let text = self.env.git_in(
            &self.clones[clone],
            &["show", &format!("refs/proctor/log:{path}")],
        );
        (path, text)
    }
}

fn tree_and_index(folder: &Path, env: &TestEnvironment) -> (String, Vec<u8>) {
    (
        env.git_in(folder, &["status", "--porcelain", "--branch"]),
        std::fs::read(folder.join(".git/index")).unwrap(),
    )
}

#[test]
fn one_clone_publishes_and_another_takes_in() {
    let world = World::new(2);
    let review = world.write(0, "reviews", "review", false);
    let check = world.write(0, "checks", "check_run", false);
    let before = tree_and_index(&world.clones[0], &world.env);
    let report = world.report(0, &[]);
    assert_eq!(
        (&report["published"], &report["pushed"]),
        (&json!(2), &json!(true)),
        "{report}"
    );
    assert_eq!(
        tree_and_index(&world.clones[0], &world.env),
        before,
        "neither work tree nor index"
    );
    let report = world.report(1, &[]);
    assert_eq!(report["taken_in"], 2, "{report}");
    assert_eq!(world.claims(1), BTreeSet::from([review, check]));
    let claims = world.store(1).claims("review").unwrap();
    assert_eq!(claims.records.len(), 1);
    assert!(
        claims.records[0].record.raw_body().contains("0123456789abcdef"),
        "evidence goes along"
    );
    // They are claims, not records of this clone.
    assert_eq!(world.store(1).writers().unwrap(), [""; 0]);
    // Again: nothing more, and nothing written.
    let commit = report["commit"].clone();
    let again = world.report(1, &[]);
    assert_eq!(
        (&again["taken_in"], &again["published"], &again["commit"]),
        (&json!(0), &json!(0), &commit)
    );
    assert_eq!(
        world.report(0, &[])["taken_in"],
        0,
        "one's own records do not come back"
    );
    assert!(world.claims(0).is_empty());
}

#[test]
fn what_is_not_meant_for_others_stays_here() {
    let world = World::new(1);
    let first = world.write(0, "reviews", "review", false);
    let test = world.write(0, "reviews", "review", true);
    let other = world.write(0, "reviews", "note", false);
    let last = world.write(0, "reviews", "review", false);
    world.write(0, "claude-1", "decision", false);
    let report = world.report(0, &[]);
    assert_eq!(report["published"], 2, "{report}");
    assert_eq!(report["not_published"][0]["record"], test, "{report}");
    let (_, text) = world.lane(0);
    assert!(text.contains(&first) && text.contains(&last));
    assert!(!text.contains(&test) && !text.contains(&other));
    assert!(text.contains("\"skip\":[2,3]"), "{text}");
    let again = world.report(0, &[]);
    assert_eq!(again["published"], 0, "{again}");
    assert_eq!(again["commit"], report["commit"]);
}

#[test]
fn four_clones_at_once_lose_nothing() {
    let world = World::new(4);
    let rounds = 6;
    let all: Vec<BTreeSet<String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|clone| {
                let world = &world;
                scope.spawn(move || {
                    let mut ids = BTreeSet::new();
                    for _ in 0..rounds {
                        ids.insert(world.write(clone, "reviews", "review", false));
                        ids.insert(world.write(clone, "checks", "check", false));
                        let output = world.sync(clone, &[]);
                        assert_eq!(output.code(), Some(0), "{output}");
                    }
                    ids
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    for clone in 0..4 {
        let _ = world.sync(clone, &[]).exits(0);
    }
    for clone in 0..4 {
        let _ = world.sync(clone, &["--fetch"]).exits(0);
        let expected: BTreeSet<String> = (0..4)
            .filter(|c| *c != clone)
            .flat_map(|c| all[c].clone())
            .collect();
        assert_eq!(world.claims(clone), expected, "clone {clone}");
    }
    // All of them agree, and so does the remote.
    let tips: BTreeSet<String> = (0..4)
        .map(|c| {
            world
                .env
                .git_in(&world.clones[c], &["rev-parse", "refs/proctor/log"])
        })
        .chain([world
            .env
            .git_in(&world.remote(), &["rev-parse", "refs/proctor/log"])])
        .collect();
    assert_eq!(tips.len(), 1);
}

#[test]
fn two_work_trees_of_one_clone_at_once() {
    let world = World::new(1);
    let second = world.env.root().join("second");
    world.env.git_in(
        &world.clones[0],
        &[
            "worktree",
            "add",
            "--quiet",
            "-b",
            "side",
            &second.to_string_lossy(),
        ],
    );
    let folders = [&world.clones[0], &second];
    std::thread::scope(|scope| {
        for folder in folders {
            let world = &world;
            scope.spawn(move || {
                for _ in 0..5 {
                    world.write(0, "reviews", "review", false);
                    let output = world.env.run_with(folder, &["sync"], b"");
                    assert_eq!(output.code(), Some(0), "{output}");
                }
            });
        }
    });
    let _ = world.sync(0, &[]).exits(0);
    let (_, text) = world.lane(0);
    assert_eq!(text.lines().count(), 10, "{text}");
}

#[test]
fn a_record_that_was_changed_is_rejected_and_the_others_are_taken_in() {
    let world = World::new(2);
    let ids: Vec<String> = (0..4)
        .map(|_| world.write(0, "reviews", "review", false))
        .collect();
    let _ = world.sync(0, &[]).exits(0);
    let (path, text) = world.lane(0);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replace("0123456789abcdef", "fedcba9876543210");
    let changed = lines.join("\n") + "\n";
    world.plant(&[(&path, "100644", changed.into_bytes())]);
    let output = world.sync(1, &["--fetch"]).exits(1);
    let report = output.data()["report"].clone();
    assert_eq!(report["rejections"], 1, "{report}");
    assert_eq!(report["rejected"][0]["record"], ids[1], "{report}");
    let taken: BTreeSet<String> = [0, 2, 3].map(|n: usize| ids[n].clone()).into();
    assert_eq!(world.claims(1), taken);
    // Said once; what was kept of it is whole. The owner puts the record back.
    let _ = world.sync(1, &["--fetch"]).exits(0);
    let report = world.report(0, &[]);
    assert_eq!(report["pushed"], true, "{report}");
    let _ = world.sync(1, &["--fetch"]).exits(0);
    assert_eq!(world.claims(1), ids.into_iter().collect());
}

#[test]
fn hostile_trees_are_refused_by_name_and_shape() {
    let world = World::new(2);
    let id = world.write(0, "reviews", "review", false);
    let _ = world.sync(0, &[]).exits(0);
    let (path, text) = world.lane(0);
    let good = text.into_bytes();
    let lane = id.as_str();
    let odd: Vec<(String, &str, Vec<u8>)> = vec![
        (
            format!("{}/../reviews/{lane}/000001.jsonl", "x".repeat(300)).replace("..", "%2e%2e"),
            "100644",
            good.clone(),
        ),
        (
            format!("Clone/reviews/{lane}/000001.jsonl"),
            "100644",
            good.clone(),
        ),
        (format!("clone1/con/{lane}/000001.jsonl"), "100644", good.clone()),
        (format!("clone1/리뷰/{lane}/000001.jsonl"), "100644", good.clone()),
        (format!("clone1/reviews/{lane}/1.jsonl"), "100644", good.clone()),
        (
            format!("clone1/reviews/{lane}/000002.jsonl"),
            "100644",
            good.clone(),
        ),
        (
            format!("clone2/reviews/{lane}/000001.jsonl"),
            "120000",
            b"/etc/passwd".to_vec(),
        ),
        (
            format!("clone3/reviews/{lane}/000001.jsonl"),
            "100644",
            vec![b'x'; 6 << 20],
        ),
        (
            format!("clone4/reviews/{lane}/000001.jsonl"),
            "100644",
            b"{\"v\":1,\"garbage".to_vec(),
        ),
        (
            format!("clone5/reviews/{lane}/000001.jsonl"),
            "100755",
            good.clone(),
        ),
        ("README".to_owned(), "100644", b"hello".to_vec()),
        (path.clone(), "100644", good.clone()),
    ];
    let files: Vec<(&str, &str, Vec<u8>)> = odd.iter().map(|(p, m, c)| (p.as_str(), *m, c.clone())).collect();
    world.plant(&files);
    let output = world.sync(1, &[]).exits(1);
    let report = output.data()["report"].clone();
    assert_eq!(report["rejections"], 11, "{report:#}");
    assert_eq!(world.claims(1), BTreeSet::from([id]));
    let folders = std::fs::read_dir(world.store(1).root().join("imported"))
        .unwrap()
        .count();
    assert_eq!(folders, 1, "nothing else was written");
    // What we push is clean again.
    let listing = world.env.git_in(
        &world.remote(),
        &["ls-tree", "-r", "--name-only", "refs/proctor/log"],
    );
    assert_eq!(listing.lines().collect::<Vec<_>>(), [path.as_str()]);
}

#[test]
fn a_forged_record_under_a_known_id_does_not_take_its_place() {
    let world = World::new(2);
    world.write(0, "reviews", "review", false);
    let _ = world.sync(0, &[]).exits(0);
    let _ = world.sync(1, &[]).exits(0);
    let (path, text) = world.lane(0);
    // Another clone claims the same id, with checksum and chain in order.
    let forged = text.replace("0123456789abcdef", "fedcba9876543210");
    let open = forged.trim_end().rsplit_once(",\"crc\"").unwrap().0.to_owned();
    let forged = format!("{open},\"crc\":\"{:08x}\"}}\n", crc32(open.as_bytes()));
    let evil = format!("00000/{}", path.split_once('/').unwrap().1);
    world.plant(&[
        (&evil, "100644", forged.into_bytes()),
        (&path, "100644", text.into_bytes()),
    ]);
    let report = world.sync(1, &[]).exits(1).data()["report"].clone();
    assert!(
        report["rejected"][0]["why"]
            .as_str()
            .unwrap()
            .contains("known here"),
        "{report}"
    );
    let claims = world.store(1).claims("review").unwrap();
    assert_eq!(claims.records.len(), 1);
    assert!(claims.records[0].record.raw_body().contains("0123456789abcdef"));
    let _ = world.env.run_with(&world.clones[1], &["fsck"], b"").exits(0);
}

/// CRC-32 (IEEE), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| {
            (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg())
        })
    })
}

#[test]
fn a_shortened_log_shows_and_its_records_come_back() {
    let world = World::new(1);
    let ids: Vec<String> = (0..3)
        .map(|_| world.write(0, "reviews", "review", false))
        .collect();
    let _ = world.sync(0, &[]).exits(0);
    let path = world.store(0).root().join("log/reviews/000001.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{}\n", text.lines().next().unwrap())).unwrap();
    let fsck = world
        .env
        .run_with(&world.clones[0], &["fsck", "--json"], b"")
        .exits(1)
        .data();
    let finding = &fsck["report"]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["grade"]),
        (&json!("published_missing"), &json!("tampering")),
        "{fsck}"
    );
    // The log goes on, under a name of its own, and what was published is there as a claim.
    let next = world.write(0, "reviews", "review", false);
    let report = world.sync(0, &[]).exits(1).data()["report"].clone();
    assert_eq!(report["lost"][0]["records"], json!(ids[1..]), "{report}");
    assert_eq!(report["published"], 1, "{report}");
    let claims = world.claims(0);
    assert!(claims.contains(&ids[1]) && claims.contains(&ids[2]));
    let listing = world.env.git_in(
        &world.clones[0],
        &["ls-tree", "-r", "--name-only", "refs/proctor/log"],
    );
    assert!(
        listing.contains(&format!("/{next}/")) && listing.contains(&format!("/{}/", ids[0])),
        "{listing}"
    );
}

#[test]
fn a_state_folder_that_went_away_comes_back_as_claims() {
    let world = World::new(1);
    let id = world.write(0, "reviews", "review", false);
    let _ = world.sync(0, &[]).exits(0);
    std::fs::remove_dir_all(world.store(0).root()).unwrap();
    let report = world.sync(0, &[]).exits(1).data()["report"].clone();
    assert!(report["notes"].to_string().contains("is gone"), "{report}");
    assert_eq!(world.claims(0), BTreeSet::from([id]));
    // A new log of the same name begins a lane of its own.
    world.write(0, "reviews", "review", false);
    assert_eq!(world.report(0, &[])["published"], 1);
}

#[test]
fn a_reference_that_was_removed_is_put_back() {
    let world = World::new(2);
    world.write(0, "reviews", "review", false);
    world.write(1, "checks", "check", false);
    for clone in [0, 1, 0] {
        let _ = world.sync(clone, &[]).exits(0);
    }
    let tree = world
        .env
        .git_in(&world.clones[0], &["rev-parse", "refs/proctor/log^{tree}"]);
    for folder in [world.clones[0].clone(), world.remote()] {
        world
            .env
            .git_in(&folder, &["update-ref", "-d", "refs/proctor/log"]);
    }
    let report = world.sync(0, &[]).exits(0).data()["report"].clone();
    assert!(report["notes"].to_string().contains("put back"), "{report}");
    assert_eq!(
        world
            .env
            .git_in(&world.clones[0], &["rev-parse", "refs/proctor/log^{tree}"]),
        tree
    );
    let _ = world.sync(1, &[]).exits(0);
    assert_eq!(world.claims(1).len(), 1);
}

#[test]
fn without_a_remote_and_without_a_repository() {
    let env = environment();
    assert_snapshot!(env.run(&["sync"]));
    assert_snapshot!(env.run(&["sync", "--remote", "nowhere"]));
    assert_snapshot!(env.run(&["sync", "--remote", "--upload-pack=touch x"]));
    let bare = crate::support::environment_without_git();
    assert_snapshot!(bare.run(&["sync"]));
}

#[test]
fn a_remote_that_cannot_be_reached() {
    let world = World::new(1);
    let id = world.write(0, "reviews", "review", false);
    std::fs::rename(world.remote(), world.env.root().join("elsewhere")).unwrap();
    let output = world.sync(0, &[]);
    assert_eq!(output.code(), Some(3), "{output}");
    // Nothing is lost by that.
    std::fs::rename(world.env.root().join("elsewhere"), world.remote()).unwrap();
    assert_eq!(world.report(0, &[])["published"], 1);
    assert!(world.lane(0).1.contains(&id));
}

#[test]
fn the_hooks_of_a_repository_are_not_run() {
    let world = World::new(1);
    world.write(0, "reviews", "review", false);
    for hook in ["pre-push", "reference-transaction", "post-update"] {
        let path = world.clones[0].join(".git/hooks").join(hook);
        std::fs::write(&path, "#!/bin/sh\ntouch \"$HOME/hook-ran\"\nexit 1\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, mode).unwrap();
    }
    let _ = world.sync(0, &[]).exits(0);
    assert!(!world.env.home().join("hook-ran").exists());
}
