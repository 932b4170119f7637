//! Check boxes inside running text: "[x] cron entry, [ ] mail on failure", "cron [x], mail [ ]".

use super::class::Class;
use super::message::Turn;
use super::status::{Status, View};

/// The boxes of a line: where each begins and ends, and whether it is ticked.
fn boxes(line: &str) -> Vec<(usize, usize, bool)> {
    let mut out = Vec::new();
    for (at, _) in line.match_indices('[') {
        let rest = line.get(at + 1..).unwrap_or_default();
        let Some(inside) = rest
            .bytes()
            .take(5)
            .position(|b| b == b']')
            .and_then(|end| rest.get(..end))
        else {
            continue;
        };
        let ticked = match inside.trim() {
            "x" | "X" | "v" | "V" | "o" | "O" | "✓" | "✔" | "✅" => true,
            "" | "-" | "~" => false,
            _ => continue,
        };
        // `list[x]` and `[x](link)` are none.
        let glued = line
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(crate::text::is_alphanumeric);
        let link = rest
            .get(inside.len() + 1..)
            .is_some_and(|after| after.starts_with(['(', '[']));
        // An empty list in the text is no open box.
        if !glued && !link && !inside.is_empty() {
            out.push((at, at + inside.len() + 2, ticked));
        }
    }
    out
}

impl Turn<'_> {
    /// Reads a paragraph or entry whose lines hold boxes. `lead` is the box that stood before it. Says whether
    /// it did.
    pub(super) fn boxes(&mut self, view: View<'_>, start: usize, body: &str, lead: Option<bool>) -> bool {
        if memchr::memchr(b'[', body.as_bytes()).is_none() {
            return false;
        }
        let mut found = false;
        let mut from = 0;
        for line in body.split_inclusive('\n') {
            let boxes = boxes(line);
            let Some(first) = boxes.first().map(|b| b.0) else {
                from += line.len();
                continue;
            };
            let before = line.get(..first).unwrap_or_default().trim_end();
            let lead = lead.filter(|_| from == 0);
            // The box stands before what it is of, or behind it.
            let leads = lead.is_some() || before.is_empty() || before.ends_with([':', '：']);
            let mut pieces: Vec<(usize, usize, bool)> = Vec::with_capacity(boxes.len() + 1);
            if leads {
                pieces.extend(lead.map(|ticked| (0, first, ticked)));
                let ends = boxes.iter().skip(1).map(|b| b.0).chain([line.len()]);
                pieces.extend(boxes.iter().zip(ends).map(|(b, end)| (b.1, end, b.2)));
            } else {
                let begins = [0].into_iter().chain(boxes.iter().map(|b| b.1));
                pieces.extend(boxes.iter().zip(begins).map(|(b, begin)| (begin, b.0, b.2)));
            }
            for (begin, end, ticked) in pieces {
                let (begin, end) = (start + from + begin, start + from + end);
                let tokens = view.tokens();
                let skip = tokens.partition_point(|t| t.start < begin);
                let take = tokens.partition_point(|t| t.start < end);
                let piece = view.at(view.from + skip, view.from + take.max(skip));
                let numbered = self.numbers(piece).items;
                let named = || self.first_named(self.names(piece).first().map(|m| m.0));
                let items = numbered.first().map_or_else(named, |item| vec![*item]);
                for item in items {
                    let state = if ticked {
                        Status::Done(Class::GENERIC)
                    } else {
                        Status::Undone
                    };
                    self.set(item, state, true);
                    found = true;
                }
            }
            from += line.len();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_in_a_line() {
        let ticks = |line| boxes(line).iter().map(|b| b.2).collect::<Vec<_>>();
        assert_eq!(ticks("[x] a, [ ] b"), [true, false]);
        assert_eq!(ticks("a [X] b [x] c [ ]"), [true, true, false]);
        assert!(ticks("list[x] and [x](url) and a [note]").is_empty());
        assert!(ticks("an empty [] list").is_empty());
    }
}
