//! A unified difference of two texts, for showing what an installer would write.

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Above this many pairs of lines, lines are no longer matched inside the changed part.
const PAIRS: usize = 4_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Same(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// The difference from `old` to `new` in unified form without file names; empty when they are equal.
#[must_use]
pub fn unified(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let lines = compare(&split(old), &split(new));
    let mut keep = vec![false; lines.len()];
    for (index, _) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !matches!(line, Line::Same(_)))
    {
        let until = (index + CONTEXT + 1).min(lines.len());
        if let Some(near) = keep.get_mut(index.saturating_sub(CONTEXT)..until) {
            near.fill(true);
        }
    }
    let mut out = String::new();
    let (mut old_line, mut new_line) = (1, 1);
    let mut inside = false;
    for (index, line) in lines.iter().enumerate() {
        let kept = keep.get(index) == Some(&true);
        if kept && !inside {
            let hunk: Vec<_> = lines
                .iter()
                .zip(&keep)
                .skip(index)
                .take_while(|(_, keep)| **keep)
                .collect();
            let olds = hunk
                .iter()
                .filter(|(line, _)| !matches!(line, Line::New(_)))
                .count();
            let news = hunk
                .iter()
                .filter(|(line, _)| !matches!(line, Line::Old(_)))
                .count();
            let from = if olds == 0 { old_line - 1 } else { old_line };
            out.push_str(&format!("@@ -{from},{olds} +{new_line},{news} @@\n"));
        }
        inside = kept;
        let (sign, text) = match line {
            Line::Same(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        if kept {
            out.push(sign);
            out.push_str(text);
            out.push('\n');
        }
        old_line += usize::from(sign != '+');
        new_line += usize::from(sign != '-');
    }
    out
}

fn split(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old
        .iter()
        .skip(head)
        .rev()
        .zip(new.iter().skip(head).rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_middle = old.get(head..old.len() - tail).unwrap_or_default();
    let new_middle = new.get(head..new.len() - tail).unwrap_or_default();
    let mut lines: Vec<_> = old.iter().take(head).map(|line| Line::Same(line)).collect();
    if old_middle.len().saturating_mul(new_middle.len()) > PAIRS {
        lines.extend(old_middle.iter().map(|line| Line::Old(line)));
        lines.extend(new_middle.iter().map(|line| Line::New(line)));
    } else {
        lines.extend(longest_common(old_middle, new_middle));
    }
    lines.extend(old.iter().skip(old.len() - tail).map(|line| Line::Same(line)));
    lines
}

/// Aligns two lists by their longest common subsequence.
fn longest_common<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let width = new.len() + 1;
    let mut table = vec![0u32; (old.len() + 1) * width];
    let get = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or(0);
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let best = if a == b {
                get(&table, i + 1, j + 1) + 1
            } else {
                get(&table, i + 1, j).max(get(&table, i, j + 1))
            };
            if let Some(cell) = table.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let mut lines = Vec::new();
    let (mut i, mut j) = (0, 0);
    loop {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                lines.push(Line::Same(a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), b) if b.is_none() || get(&table, i + 1, j) >= get(&table, i, j + 1) => {
                lines.push(Line::Old(a));
                i += 1;
            }
            (_, Some(b)) => {
                lines.push(Line::New(b));
                j += 1;
            }
            _ => return lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn shows_what_changes_with_three_lines_around_it() {
        assert_eq!(unified("a\nb\n", "a\nb\n"), "");
        assert_eq!(unified("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n";
        assert_eq!(
            unified(old, new),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -10,3 +10,4 @@\n 10\n 11\n 12\n+13\n"
        );
    }
}
