//! Files that are told by the folders above them: bullets below the bullet of a folder, or a drawn tree. Each of them gets
//! its whole path, so that it is the file in that place, and neither the folder as a whole nor a file of that name anywhere.

use crate::layout::Marker;
use crate::paths;
use crate::sections::Piece;
use crate::text::slice;

/// Signs that a tree is drawn with.
const GLYPHS: [char; 11] = ['│', '├', '└', '─', '┬', '┐', '╰', '╭', '┃', '┣', '┗'];

/// Folders are this deep at most; deeper than any work tree.
const DEEPEST: usize = 24;

/// What a piece is in a tree.
struct Node {
    depth: usize,
    /// It is drawn: signs stand before its name.
    drawn: bool,
    /// It is nothing but the name of a folder: with the slash.
    folder: Option<String>,
    /// Nodes directly below it, and those of them that name a file or a folder.
    below: usize,
    named: usize,
    /// One of them is a folder.
    folders: bool,
    parent: Option<usize>,
}

/// Writes the folders in front of what stands below them, and takes those away that only say where it lies.
pub(crate) fn unfold(pieces: Vec<Piece>) -> Vec<Piece> {
    if !pieces.iter().any(|p| folder(p).is_some()) {
        return pieces;
    }
    let nodes = nodes(&pieces);
    let mut out = Vec::with_capacity(pieces.len());
    for (at, mut piece) in pieces.into_iter().enumerate() {
        let Some(node) = nodes.get(at).and_then(Option::as_ref) else {
            out.push(piece);
            continue;
        };
        if node.folder.is_some() && node.below > 0 && node.named == node.below {
            continue;
        }
        if node.drawn || piece.is_code {
            piece.text = without_remark(bare_line(&piece.text)).to_owned();
        }
        let place = place(&nodes, node.parent);
        if !place.is_empty() {
            let (text, written) = placed(&piece.text, &place);
            // The root of a drawn tree may be that of the work tree, which no path of a changed file names.
            let root = root(&nodes, at).filter(|_| node.drawn);
            if let Some(rest) = root.and_then(|root| text.strip_prefix(root)) {
                out.push(Piece {
                    text: rest.to_owned(),
                    is_code: true,
                    ..piece.clone()
                });
            }
            piece.text = text;
            // A path that is written with folders of its own may be meant from the root on.
            out.extend(written.into_iter().map(|text| Piece {
                text,
                is_code: true,
                ..piece.clone()
            }));
        }
        out.push(piece);
    }
    out
}

/// The nodes of all trees, `None` for pieces that are in none.
fn nodes(pieces: &[Piece]) -> Vec<Option<Node>> {
    let mut out: Vec<Option<Node>> = Vec::with_capacity(pieces.len());
    // The open folders, the innermost last; and the section that they are in.
    let mut open: Vec<usize> = Vec::new();
    let mut section = usize::MAX;
    for (at, piece) in pieces.iter().enumerate() {
        let glyphs = drawn(&piece.text);
        let is_node = glyphs > 0
            || piece.marker != Marker::None
            || piece.is_code
            || folder(piece).is_some_and(|_| pieces.get(at + 1).is_some_and(|next| drawn(&next.text) > 0));
        if !is_node || piece.row.is_some() || piece.is_group {
            out.push(None);
            continue;
        }
        if piece.section != section {
            section = piece.section;
            open.clear();
        }
        let depth = piece.indent + glyphs;
        let deeper = |open: usize| {
            let node = out.get(open).and_then(Option::as_ref);
            node.is_some_and(|node| node.depth < depth)
        };
        while open.last().is_some_and(|last| !deeper(*last)) {
            open.pop();
        }
        let parent = open.last().copied();
        let folder = folder(piece);
        let named = folder.is_some() || names_a_file(&piece.text);
        if let Some(above) = parent.and_then(|parent| out.get_mut(parent)?.as_mut()) {
            above.below += 1;
            above.named += usize::from(named);
            above.folders |= folder.is_some();
        }
        // What stands below an entry that is no folder lies in none.
        open.push(at);
        out.push(Some(Node {
            depth,
            drawn: glyphs > 0,
            folder,
            below: 0,
            named: 0,
            folders: false,
            parent,
        }));
    }
    out
}

/// The folders above a node, joined; empty where one of them is none.
fn place(nodes: &[Option<Node>], parent: Option<usize>) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut next = parent;
    while let Some(node) = next.and_then(|at| nodes.get(at)?.as_ref()) {
        let Some(folder) = &node.folder else {
            return String::new();
        };
        if names.len() == DEEPEST {
            return String::new();
        }
        names.push(folder);
        next = node.parent;
    }
    let mut out = String::new();
    for name in names.into_iter().rev() {
        // Below `src/` also `src/api/` may be written.
        let name = name.trim_start_matches("./");
        if name.starts_with(&out) && !out.is_empty() {
            out.clear();
        }
        out.push_str(name);
    }
    out
}

/// The outermost folder above a node, where folders lie in it and its name is not one that work trees have inside.
fn root(nodes: &[Option<Node>], at: usize) -> Option<&str> {
    let mut node = nodes.get(at)?.as_ref()?;
    for _ in 0..DEEPEST {
        let Some(parent) = node.parent else { break };
        node = nodes.get(parent)?.as_ref()?;
    }
    let name = node.folder.as_deref()?;
    let root = node.parent.is_none() && node.folders;
    (root && !crate::names::is_root(name.trim_end_matches('/'))).then_some(name)
}

/// How many characters a tree is drawn with before a name.
fn drawn(text: &str) -> usize {
    let glyph = |c: char| GLYPHS.contains(&c);
    let ascii = text.starts_with(['|', '`', '+']) && text.contains("-- ");
    if !text.starts_with(glyph) && !ascii {
        return 0;
    }
    text.chars()
        .take_while(|c| glyph(*c) || matches!(c, ' ' | '\u{a0}' | '-' | '|' | '`' | '+'))
        .count()
}

/// A line without the signs before its name.
fn bare_line(text: &str) -> &str {
    let length: usize = text.chars().take(drawn(text)).map(char::len_utf8).sum();
    slice(text, length, text.len())
}

/// A line of a tree without the remark behind its name: `routes.ts   # new route`.
fn without_remark(line: &str) -> &str {
    let cuts = [" #", " //", " <-", " ←", "  (", "  -"];
    let end = cuts.iter().filter_map(|cut| line.find(cut)).min();
    slice(line, 0, end.unwrap_or(line.len())).trim()
}

/// The folder that a piece names and nothing else: "api/", "`api/`:", "In api/:", "`api` 폴더".
fn folder(piece: &Piece) -> Option<String> {
    if piece.row.is_some() || piece.is_group {
        return None;
    }
    let line = bare_line(&piece.text);
    let line = if piece.is_code || drawn(&piece.text) > 0 {
        without_remark(line)
    } else {
        line.trim()
    };
    let line = line.trim_end_matches([':', '：']).trim();
    let line = ["In ", "in ", "Under ", "under "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let (line, said) = [" 폴더", " 디렉터리", " 디렉토리", " folder", " directory"]
        .iter()
        .find_map(|word| line.strip_suffix(word))
        .map_or((line, false), |line| (line, true));
    let line = ["에서", "안에", "에"]
        .iter()
        .find_map(|end| {
            line.strip_suffix(end)
                .filter(|line| line.trim_end().ends_with(['/', '`']))
        })
        .unwrap_or(line);
    let name = line.trim().trim_matches(['`', '"', '\'', '*']);
    if name == "." || name == "./" {
        return Some(String::new());
    }
    let plain = !name.is_empty()
        && !name
            .contains(|c: char| c.is_whitespace() || matches!(c, '*' | '{' | ':' | ',' | '<' | '`' | '('))
        && !name.starts_with('/');
    if !plain || !(name.ends_with('/') || said) {
        return None;
    }
    Some(format!("{}/", name.trim_end_matches('/')))
}

/// Whether a line names a file or a folder.
fn names_a_file(text: &str) -> bool {
    paths::find(without_remark(bare_line(text)))
        .iter()
        .any(|m| !m.command)
}

/// A line with the folder in front of what it names, of a path only where the line begins with it; and such a path as it is
/// written.
fn placed(text: &str, place: &str) -> (String, Option<String>) {
    let mut out = String::with_capacity(text.len() + place.len());
    let mut written = None;
    let mut from = 0;
    for mention in paths::find(text).into_iter().filter(|m| !m.command && !m.barred) {
        let stands = slice(text, mention.start, mention.end);
        let quotes = stands.len() - stands.trim_start_matches(['`', '"', '\'', '“', '‘']).len();
        let first = slice(text, 0, mention.start).trim().is_empty();
        let is_thing = !mention.path.trim_end_matches('/').contains('/');
        // `api/routes.ts` below `api/` is written whole already.
        if mention.path.starts_with(place) || !(first || is_thing) {
            continue;
        }
        let start = mention.start + quotes;
        out.push_str(slice(text, from, start));
        out.push_str(place);
        from = start;
        if !is_thing {
            written = Some(mention.path);
        }
    }
    out.push_str(slice(text, from, text.len()));
    (out, written)
}
