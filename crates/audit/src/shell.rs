//! Splitting a shell command line into simple commands and what stands between them.

/// What follows a simple command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    And,
    Or,
    Pipe,
    /// `;` or a line end.
    Then,
    Background,
    End,
}

/// A simple command: its words with quotes removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) argv: Vec<String>,
    pub(crate) after: After,
}

/// Splits `line`. Words of here-documents, comments and redirections are left out; `$(…)` stays one
/// opaque word. Never fails: what cannot be read ends up as words that no table knows.
pub(crate) fn split(line: &str) -> Vec<Step> {
    let mut reader = Reader {
        chars: line.chars().collect(),
        at: 0,
        steps: Vec::new(),
        argv: Vec::new(),
        heredocs: Vec::new(),
    };
    reader.run();
    reader.steps
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    steps: Vec<Step>,
    argv: Vec<String>,
    /// End words of here-documents that start after the current line.
    heredocs: Vec<String>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn end_step(&mut self, after: After) {
        if !self.argv.is_empty() {
            self.steps.push(Step {
                argv: std::mem::take(&mut self.argv),
                after,
            });
        } else if after == After::Background {
            // A lone `&` after a closing bracket belongs to the step before.
            if let Some(step) = self.steps.last_mut() {
                step.after = after;
            }
        }
    }

    fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                ' ' | '\t' | '\r' => self.at += 1,
                '\\' if self.peek(1) == Some('\n') => self.at += 2,
                '#' => self.skip_line(),
                '\n' => {
                    self.at += 1;
                    self.end_step(After::Then);
                    self.skip_heredocs();
                }
                ';' => {
                    self.at += 1;
                    self.end_step(After::Then);
                }
                '&' if self.peek(1) == Some('&') => self.operator(2, After::And),
                '|' if self.peek(1) == Some('|') => self.operator(2, After::Or),
                '|' => self.operator(if self.peek(1) == Some('&') { 2 } else { 1 }, After::Pipe),
                '&' if self.peek(1) == Some('>') => self.redirection(1),
                '&' => self.operator(1, After::Background),
                '(' | ')' => self.at += 1,
                '<' | '>' => self.redirection(0),
                _ => self.word(),
            }
        }
        self.end_step(After::End);
        if let Some(last) = self.steps.last_mut()
            && last.after == After::Then
        {
            last.after = After::End;
        }
    }

    fn operator(&mut self, length: usize, after: After) {
        self.at += length;
        if self.argv.is_empty() {
            // `(a; b) | c`: the operator follows a group.
            if let Some(step) = self.steps.last_mut() {
                step.after = after;
            }
        } else {
            self.end_step(after);
        }
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    /// `> file`, `2>&1`, `<<'END'`: passes over the operator and its word.
    fn redirection(&mut self, lead: usize) {
        self.at += lead;
        let here = self.peek(0) == Some('<') && self.peek(1) == Some('<') && self.peek(2) != Some('<');
        while matches!(self.peek(0), Some('<' | '>' | '&' | '|' | '-')) {
            self.at += 1;
        }
        while matches!(self.peek(0), Some(' ' | '\t')) {
            self.at += 1;
        }
        let word = self.take_word();
        if here && !word.is_empty() {
            self.heredocs.push(word);
        }
    }

    fn skip_heredocs(&mut self) {
        for end in std::mem::take(&mut self.heredocs) {
            while self.peek(0).is_some() {
                let start = self.at;
                self.skip_line();
                let line: String = self
                    .chars
                    .get(start..self.at)
                    .unwrap_or_default()
                    .iter()
                    .collect();
                self.at += 1;
                if line.trim() == end {
                    break;
                }
            }
        }
    }

    fn word(&mut self) {
        let word = self.take_word();
        // The number of a file descriptor belongs to the redirection that follows.
        if matches!(self.peek(0), Some('<' | '>'))
            && !word.is_empty()
            && word.chars().all(|c| c.is_ascii_digit())
        {
            return;
        }
        self.argv.push(word);
    }

    fn take_word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    self.at += 1;
                    while let Some(c) = self.peek(0) {
                        self.at += 1;
                        if c == '\'' {
                            break;
                        }
                        word.push(c);
                    }
                }
                '"' => {
                    self.at += 1;
                    while let Some(c) = self.peek(0) {
                        self.at += 1;
                        match c {
                            '"' => break,
                            '\\' => {
                                word.extend(self.peek(0));
                                self.at += 1;
                            }
                            _ => word.push(c),
                        }
                    }
                }
                '\\' => {
                    if self.peek(1) != Some('\n') {
                        word.extend(self.peek(1));
                    }
                    self.at += 2;
                }
                '`' => {
                    word.push(c);
                    self.at += 1;
                    while let Some(c) = self.peek(0) {
                        self.at += 1;
                        if c == '`' {
                            break;
                        }
                    }
                }
                '$' if self.peek(1) == Some('(') => {
                    word.push('$');
                    self.substitution();
                }
                _ => {
                    word.push(c);
                    self.at += 1;
                }
            }
        }
        word
    }

    /// Passes over `$(…)`, whose content is another command line.
    fn substitution(&mut self) {
        let mut depth = 0_u32;
        while let Some(c) = self.peek(0) {
            self.at += 1;
            match c {
                '(' => depth += 1,
                ')' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn show(line: &str) -> Vec<String> {
        split(line)
            .iter()
            .map(|s| format!("{} {:?}", s.argv.join("|"), s.after))
            .collect()
    }

    #[test]
    fn lines_are_split_at_operators_outside_quotes() {
        for (line, expected) in [
            ("a b", vec!["a|b End"]),
            (
                "a && b || c; d | e &",
                vec!["a And", "b Or", "c Then", "d Pipe", "e Background"],
            ),
            (
                "a 'x && y' \"z; \\\"q\\\"\" p\\ q",
                vec!["a|x && y|z; \"q\"|p q End"],
            ),
            ("a 2>&1 | tail -5", vec!["a Pipe", "tail|-5 End"]),
            ("a >out.txt 2>/dev/null && b", vec!["a And", "b End"]),
            ("a &> log; b", vec!["a Then", "b End"]),
            (
                "cat > f <<'EOF'\ncargo test\nEOF\nmake",
                vec!["cat Then", "make End"],
            ),
            ("a \\\n  b\n# cargo test\nc", vec!["a|b Then", "c End"]),
            ("x=$(cargo test; echo) b", vec!["x=$|b End"]),
            ("(cd a && b) | c", vec!["cd|a And", "b Pipe", "c End"]),
            ("", vec![]),
            (" ;; && ", vec![]),
        ] {
            assert_eq!(show(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_split_without_a_panic(line in ".{0,200}") {
            split(&line);
        }

        #[test]
        fn shell_like_text_is_split_without_a_panic(line in "[a-z'\"\\\\$()<>|&;`\n #=-]{0,80}") {
            split(&line);
        }
    }
}
