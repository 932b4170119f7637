//! Lines made at random from what masks a status.

/// A small generator of numbers, the same in every run.
pub(super) struct Dice {
    pub(super) seed: u64,
    /// Within the body of a function, which calls none.
    pub(super) body: bool,
}

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }

    fn command(&mut self, depth: usize) -> String {
        let leaves = &[
            "pytest",
            "pytest",
            "pytest",
            "jest",
            "u",
            "u",
            "true",
            "false",
            "exit 0",
            "exit 1",
            "exit",
            "exit $?",
            "rc=$?",
            "rc=0",
            "rc=1",
            "exit $rc",
            "[ $rc -eq 0 ]",
            "[ $? -eq 0 ]",
            "test $? -ne 0",
            "[[ $rc == 0 ]]",
            "[[ $rc -ne 0 ]]",
            "(( rc == 0 ))",
            "(( rc ))",
            "set -e",
            "set +e",
            "set -o pipefail",
            "set -eo pipefail",
            "x=$(pytest)",
            "x=$(jest; u)",
            "echo $(pytest)",
            "f",
            "return 1",
            "return 0",
            "return",
            "export rc=$?",
            "local=$?",
            "trap 'echo x' EXIT",
            "x=$(exit 1)",
            "q=$rc",
            "exit $q",
            "bash -c 'exit 0'",
            "break",
            "pytest > /dev/null 2>&1",
            "command true",
            "unset rc",
            "rc=$((rc+1))",
            "exec true",
            "exec false",
            "rc=$? q=$rc",
            "exit $((rc))",
            ": ${rc:=0}",
            "read rc < /dev/null",
            "g",
        ];
        let roll = if depth == 0 { 0 } else { self.roll(16) };
        match roll {
            0..4 => {
                let core = &[
                    "pytest",
                    "pytest || rc=1",
                    "pytest",
                    "jest",
                    "u",
                    "u",
                    "true",
                    "exit 1",
                    "rc=$?",
                    "exit $rc",
                    "set -e",
                ];
                let leaf = if self.roll(2) == 0 {
                    self.pick(core)
                } else {
                    self.pick(leaves)
                };
                if self.body && matches!(leaf, "f" | "g") {
                    "u".to_owned()
                } else {
                    leaf.to_owned()
                }
            }
            4 => format!("( {} )", self.list(depth - 1)),
            5 => format!("{{ {}; }}", self.list(depth - 1)),
            6 => format!("if {}; then {}; fi", self.list(depth - 1), self.list(depth - 1)),
            7 => format!(
                "if {}; then {}; else {}; fi",
                self.list(depth - 1),
                self.list(depth - 1),
                self.list(depth - 1)
            ),
            8 => format!("for i in 1 2; do {}; done", self.list(depth - 1)),
            9 => format!(
                "case $rc in 0) {};; *) {};; esac",
                self.list(depth - 1),
                self.list(depth - 1)
            ),
            10 | 13 if !self.body => {
                self.body = true;
                let body = self.list(depth - 1);
                self.body = false;
                if roll == 10 {
                    format!("f() {{ {body}; }}")
                } else {
                    format!("g() ( {body} )")
                }
            }
            11 => format!("x=$({})", self.list(depth - 1)),
            12 => format!(
                "while {}; do {}; break; done",
                self.list(depth - 1),
                self.list(depth - 1)
            ),
            _ => format!("{} | {}", self.command(depth - 1), self.command(depth - 1)),
        }
    }

    fn chain(&mut self, depth: usize) -> String {
        let mut text = String::new();
        if self.roll(8) == 0 {
            text += "! ";
        }
        text += &self.command(depth);
        while self.roll(3) == 0 {
            text += self.pick(&[" && ", " || ", " && ", " || ! "]);
            text += &self.command(depth);
        }
        text
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        let mut text = self.chain(depth);
        while self.roll(5) < 2 {
            text += self.pick(&["; ", "; ", "; ", "\n"]);
            text += &self.chain(depth);
        }
        text
    }
}

/// Lines with checks in them.
pub(super) fn lines(seed: u64, count: usize) -> Vec<String> {
    let mut dice = Dice { seed, body: false };
    (0..count)
        .map(|_| {
            let depth = dice.roll(3);
            dice.list(depth)
        })
        .filter(|l| l.contains("pytest") || l.contains("jest"))
        .collect()
}
