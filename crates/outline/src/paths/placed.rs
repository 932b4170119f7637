//! Files and globs that are named with the folder in which they lie: "all `*.md` files in docs/", "in `api/`: routes.ts,
//! types.ts", docs/ 안의 `*.md`. One thing is meant there, not the folder and the same name anywhere.

use super::Mention;
use crate::list::{list, listed};
use crate::text::{near_before, slice};

/// Puts the folder before the names that lie in it, and takes the folder itself away.
pub(super) fn join(text: &str, mentions: &mut Vec<Mention>) {
    let mut gone = Vec::new();
    for at in 0..mentions.len() {
        let Some(folder) = mentions.get(at).filter(|m| is_folder(m)).cloned() else {
            continue;
        };
        let before = things_before(text, mentions, at);
        let things = if before.is_empty() {
            things_behind(text, mentions, at)
        } else {
            before
        };
        if things.is_empty() {
            continue;
        }
        for thing in things {
            if let Some(mention) = mentions.get_mut(thing) {
                mention.path = inside(&folder.path, &mention.path);
                mention.strong = true;
            }
        }
        gone.push(folder.start);
    }
    // They stand in order.
    mentions.retain(|m| gone.binary_search(&m.start).is_err() || !is_folder(m));
}

fn is_folder(mention: &Mention) -> bool {
    mention.path.ends_with('/') && !mention.path.contains('*') && !mention.command && !mention.barred
}

/// A name or a glob without a folder.
fn is_thing(mention: &Mention) -> bool {
    !mention.path.contains('/') && !mention.command && !mention.barred
}

/// A name in a folder, at any depth: who names a folder of one part may mean one further down as well.
fn inside(folder: &str, name: &str) -> String {
    let name = name.trim_start_matches("**/");
    if folder.trim_end_matches('/').contains('/') {
        format!("{folder}**/{name}")
    } else {
        format!("**/{folder}**/{name}")
    }
}

/// Whether only marks and joining words stand between two names.
fn is_listed(between: &str) -> bool {
    words(between).all(|word| listed!("and|or|plus|와|과|및|랑|이랑|하고|그리고", word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The names before a folder that lie in it: "routes.ts and types.ts in api/".
fn things_before(text: &str, mentions: &[Mention], folder: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut end = mentions.get(folder).map_or(0, |m| m.start);
    for (at, mention) in mentions.iter().enumerate().take(folder).rev() {
        let between = slice(text, mention.end, end);
        let joined = if out.is_empty() {
            lies_in(between)
        } else {
            is_listed(between)
        };
        if !joined || !is_thing(mention) || between.contains(['.', ';', '\n']) {
            break;
        }
        end = mention.start;
        out.push(at);
    }
    // "Use helper.ts in src/" has the file as its tool: what changes there is another.
    if !out.is_empty() && !is_object(near_before(text, end)) {
        out.clear();
    }
    out
}

/// Whether the words between a name and a folder say that the one lies in the other: "files in", "in every folder under".
fn lies_in(between: &str) -> bool {
    let mut within = false;
    let all = words(between).all(|word| {
        within |= listed!(
            "in|inside|under|within|below|beneath|underneath|of|across|throughout",
            word
        );
        within || listed!("file|files", word)
    });
    let rest = words(between).all(|word| {
        listed!(
            "in|inside|under|within|below|beneath|underneath|of|across|throughout|file|files|the|our|every|each|all|any|\
            folder|folders|directory|directories|subfolder|subfolders|whole",
            word
        )
    });
    within && all && rest
}

/// Whether the words before a name leave it the object of its clause, and not its tool, its model or its end.
fn is_object(before: &str) -> bool {
    let lower = before.to_lowercase();
    let clause = lower
        .rsplit(['.', ';', ':', '\n', ','])
        .next()
        .unwrap_or_default();
    let mut words: Vec<&str> = words(clause).collect();
    words.reverse();
    let governs = words.into_iter().find(|word| {
        !listed!(
            "all|every|each|the|only|any|new|existing|two|three|both|file|files|a|an|our",
            *word
        )
    });
    governs.is_none_or(|word| {
        !list!(
            "use|uses|using|with|by|to|from|like|into|for|than|against|between|of|as|via|see|read|import|imports|call|\
            calls|follow|run|apply|copy|match|per|on|in|reuse|load|and|or|not|no|instead|caused",
            by_word = true
        )
        .has(word)
    })
}

/// The names behind a folder that lie in it: "`api/`: routes.ts, types.ts" up to the end, docs/ 안의 모든 `*.md`, api 폴더의
/// routes.ts 와 types.ts.
fn things_behind(text: &str, mentions: &[Mention], folder: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut start = mentions.get(folder).map_or(0, |m| m.end);
    let mut colon = false;
    for (at, mention) in mentions.iter().enumerate().skip(folder + 1) {
        let between = slice(text, start, mention.start);
        let joined = if out.is_empty() {
            colon = between
                .trim_start_matches(['`', '"', '*'])
                .trim_start()
                .starts_with([':', '：'])
                && words(between).next().is_none();
            colon || is_korean_place(between)
        } else {
            is_listed(between) && !between.contains(['.', ';', '\n'])
        };
        if !joined || !is_thing(mention) {
            break;
        }
        start = mention.end;
        out.push(at);
    }
    // What else stands behind the colon may be about the folder as a whole.
    if colon && words(slice(text, start, text.len())).next().is_some() {
        out.clear();
    }
    out
}

/// Whether what stands between a folder and a name says in Korean that the name lies there: 안의, 아래, 폴더의.
fn is_korean_place(between: &str) -> bool {
    if between.contains(['.', ';', ',', ':', '\n']) {
        return false;
    }
    let mut place = false;
    words(between).all(|word| {
        let says = listed!(
            "안의|안에|아래|아래의|밑의|밑에|내|내의|하위|하위의|의|폴더의|속|속의|안|밑",
            word
        );
        place |= says;
        says || listed!("있는|모든|전체|각|폴더|디렉터리|디렉토리|파일", word)
    }) && place
}
