//! What of a command line is not to be written down: passwords, tokens, keys. Told by how it stands there, never by
//! what it may be: the value of a name that says so, the credentials of an address, well-known beginnings of keys.
//!
//! Linear in the length of the text, and the same again on what came out.

use proctor_kernel::HIDDEN;

/// Longest name that is looked at, in bytes.
const NAME: usize = 64;
/// Longest address before its `@`, in bytes.
const ADDRESS: usize = 512;
/// Fewest signs behind a well-known beginning.
const FEWEST: usize = 12;

/// How keys and tokens of well-known services begin.
const BEGINNINGS: [&str; 33] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "whsec_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "gldt-",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "npm_",
    "pypi-",
    "hf_",
    "dop_v1_",
    "SG.",
    "dckr_pat_",
    "AGE-SECRET-KEY-",
    "eyJ",
    "shpat_",
];

/// Parts of a name that say that its value is a secret.
const PARTS: [&str; 10] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "secrets",
    "token",
    "apikey",
    "credential",
    "credentials",
    "authorization",
];
/// What may stand before `key` in such a name.
const KEYS: [&str; 11] = [
    "api",
    "access",
    "private",
    "secret",
    "signing",
    "encryption",
    "auth",
    "account",
    "master",
    "license",
    "ssh",
];
/// Options whose value is a name, a colon and a secret.
const USERS: [&str; 3] = ["-u", "--user", "--proxy-user"];

/// A command line in which secrets are replaced by `***`. A value that only names a variable stays.
#[must_use]
pub fn masked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut before = None;
    while let Some(sign) = rest.chars().next() {
        let taken = if is_of_a_name(sign) && !before.is_some_and(is_of_a_name) {
            word(rest, &mut out)
        } else if let Some(after) = rest.strip_prefix("://") {
            out.push_str("://");
            3 + address(after, &mut out)
        } else {
            out.push(sign);
            sign.len_utf8()
        };
        let (done, next) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        before = done.chars().next_back();
        rest = next;
    }
    out
}

/// The same of words that were read already: a secret may be the word behind its option.
#[must_use]
pub fn masked_words<'w>(words: impl IntoIterator<Item = &'w String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut option: Option<&str> = None;
    for word in words {
        let value = option.filter(|_| !word.starts_with(['-', '$']));
        out.push(match value {
            Some(name) if USERS.contains(&name) => behind_a_colon(word),
            Some(_) => HIDDEN.to_owned(),
            None => masked(word),
        });
        let known = USERS.contains(&word.as_str()) || is_secret(word);
        option = Some(word.as_str()).filter(|w| w.starts_with('-') && known);
    }
    out
}

fn is_of_a_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.')
}

/// Writes the word at the beginning, with the value behind it where that is a secret. Gives how much was read.
fn word(text: &str, out: &mut String) -> usize {
    if text.starts_with("-----BEGIN ") && text.get(..64.min(text.len())).is_none_or(|t| t.contains("KEY")) {
        out.push_str(HIDDEN);
        let end = text.find("-----END ");
        let behind = end.and_then(|at| Some(at + 9 + text.get(at + 9..)?.find("-----")? + 5));
        return behind.unwrap_or(text.len());
    }
    let end = text.find(|c: char| !is_of_a_name(c)).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default();
    let known = BEGINNINGS.iter().find(|b| {
        let rest = name.strip_prefix(**b);
        rest.is_some_and(|rest| rest.len() >= FEWEST && is_a_key(b, rest))
    });
    if let Some(beginning) = known {
        out.push_str(beginning);
        out.push_str(HIDDEN);
        return end;
    }
    out.push_str(name);
    let after = text.get(end..).unwrap_or_default();
    end + value(name, after, out)
}

/// Whether what follows a well-known beginning can be a key: short beginnings are those of plain words as well.
fn is_a_key(beginning: &str, rest: &str) -> bool {
    match beginning {
        "AKIA" | "ASIA" => rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()),
        "eyJ" => rest.contains('.'),
        _ => rest.bytes().any(|b| b.is_ascii_digit()) || rest.len() > 30,
    }
}

/// Writes what follows a name, up to the end of its value where that is a secret. Gives how much was read.
fn value(name: &str, after: &str, out: &mut String) -> usize {
    let user = USERS.contains(&name);
    if name.len() > NAME || !(user || is_secret(name) || name.to_ascii_lowercase().ends_with("pass")) {
        return 0;
    }
    // The name may be quoted, as in JSON.
    let closed = ["\\\"", "\"", "'"].into_iter().find(|q| after.starts_with(q));
    let closing = closed.map_or(0, str::len);
    let sign = after.get(closing..).and_then(|t| t.chars().next());
    // A colon names a value behind a blank, as in headers and YAML, or where name or value is quoted, as in JSON. Else it
    // parts the name of a test or a target: `tests/test_token.py::test_a`, `//auth/token:unit`.
    let behind = after.get(closing + 1..).unwrap_or_default();
    let header = sign == Some(':')
        && (closing > 0
            || behind.starts_with([' ', '\t', '"', '\''])
            || behind.starts_with("\\\"")
            || is_header(name));
    let option = closing == 0 && name.starts_with('-') && sign.is_some_and(|c| c == ' ' || c == '\t');
    let plain = is_secret(name) || user;
    if !(sign == Some('=') || header && plain && !user || option && plain) {
        return 0;
    }
    let from = closing + 1;
    let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let rest = after.get(from..).unwrap_or_default();
    let from = from + if header || option { blanks(rest) } else { 0 };
    let rest = after.get(from..).unwrap_or_default();
    let quote = ["\\\"", "\"", "'"].into_iter().find(|q| rest.starts_with(q));
    let opening = quote.map_or(0, str::len);
    let inside = rest.get(opening..).unwrap_or_default();
    let is_variable = quote != Some("'")
        && inside.strip_prefix('$').is_some_and(|t| {
            t.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '('))
        });
    if is_variable || option && inside.starts_with('-') {
        return 0;
    }
    let long = header && (name.eq_ignore_ascii_case("authorization") || name.eq_ignore_ascii_case("cookie"));
    let end = match quote {
        Some("\\\"") => inside.find("\\\""),
        Some(quote) => end_of_quoted(inside, quote),
        None if long => inside.find(['"', '\'', '\n']),
        None if header => inside.find(|c: char| c.is_whitespace() || "\"'`,}&|;)".contains(c)),
        None => inside.find(|c: char| c.is_whitespace() || "\"'`;|&<>()".contains(c)),
    };
    let end = end.unwrap_or(inside.len());
    let secret = inside.get(..end).unwrap_or_default();
    if secret.is_empty() {
        return 0;
    }
    out.push_str(after.get(..from + opening).unwrap_or_default());
    if user {
        out.push_str(&behind_a_colon(secret));
    } else {
        out.push_str(HIDDEN);
    }
    from + opening + end
}

fn end_of_quoted(text: &str, quote: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, sign)| {
        let ends = !escaped && quote.starts_with(sign);
        escaped = !escaped && sign == '\\' && quote == "\"";
        ends.then_some(at)
    })
}

/// `name:secret` without the secret. Numbers are those of users and groups.
fn behind_a_colon(text: &str) -> String {
    match text.split_once(':') {
        Some((name, secret)) if !secret.is_empty() && !secret.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{name}:{HIDDEN}")
        }
        _ => text.to_owned(),
    }
}

/// Writes the credentials at the beginning of an address. Gives how much was read.
fn address(text: &str, out: &mut String) -> usize {
    let near = text.get(..text.floor_char_boundary(ADDRESS)).unwrap_or(text);
    let end = near.find(|c: char| c.is_whitespace() || "/?#\"'`".contains(c));
    let host = near.get(..end.unwrap_or(near.len())).unwrap_or_default();
    let Some((credentials, _)) = host.rsplit_once('@') else {
        return 0;
    };
    match credentials.split_once(':') {
        Some((name, secret)) if !secret.is_empty() && !secret.starts_with('$') => {
            out.push_str(name);
            out.push(':');
            out.push_str(HIDDEN);
            credentials.len()
        }
        _ => 0,
    }
}

/// Whether a name is that of a header, which may stand right before its value.
fn is_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "authorization" | "proxy-authorization" | "cookie") || name.starts_with("x-")
}

/// Whether a name says that its value is a secret: `DB_PASSWORD`, `--api-key`, `accessToken`.
fn is_secret(name: &str) -> bool {
    if name.len() > NAME {
        return false;
    }
    let mut before = String::new();
    for part in name.split(['_', '-', '.']) {
        for part in camel(part) {
            let ends = ["password", "passwd", "token", "secret"]
                .iter()
                .any(|e| part.ends_with(e));
            if ends || PARTS.contains(&part.as_str()) {
                return true;
            }
            if part == "key" && KEYS.contains(&before.as_str()) {
                return true;
            }
            before = part;
        }
    }
    name.eq_ignore_ascii_case("cookie")
}

/// The parts of `apiKey`, in small letters.
fn camel(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut small = false;
    for sign in text.chars() {
        if sign.is_ascii_uppercase() && small || parts.is_empty() {
            parts.push(String::new());
        }
        small = sign.is_ascii_lowercase();
        if let Some(part) = parts.last_mut() {
            part.push(sign.to_ascii_lowercase());
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn secrets_are_not_written_down_and_everything_else_is() {
        // A beginning that is no real key, put together so that no scanner takes this file for a leak.
        let key = |beginning: &str| format!("{beginning}{}", "A1b2C3d4E5f6G7h8I9j0");
        for (line, shown) in [
            ("mysql --password=hunter2 db", "mysql --password=*** db"),
            ("x --token 'a b' --fast", "x --token '***' --fast"),
            ("x --api-key abc; ls", "x --api-key ***; ls"),
            ("x --token --fast", "x --token --fast"),
            (
                "GH_TOKEN=abc PGPASSWORD=\"a \\\" b\" gh pr list",
                "GH_TOKEN=*** PGPASSWORD=\"***\" gh pr list",
            ),
            ("TOKEN=$TOKEN make", "TOKEN=$TOKEN make"),
            ("curl --token \"${T}\" x", "curl --token \"${T}\" x"),
            ("TOKEN='$notavariable' make", "TOKEN='***' make"),
            ("DB_PASS=abc ./run --pass 3", "DB_PASS=*** ./run --pass 3"),
            (
                "curl -H 'Authorization: Bearer abc.def' https://x",
                "curl -H 'Authorization: ***' https://x",
            ),
            ("curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: ***\" x"),
            (
                "curl -d '{\"password\": \"a,b\", \"n\": 1}' x",
                "curl -d '{\"password\": \"***\", \"n\": 1}' x",
            ),
            (
                "curl -d \"{\\\"accessToken\\\":\\\"abc\\\"}\" x",
                "curl -d \"{\\\"accessToken\\\":\\\"***\\\"}\" x",
            ),
            ("curl -u kim:hunter2 x", "curl -u kim:*** x"),
            ("docker run -u 1000:1000 x", "docker run -u 1000:1000 x"),
            (
                "git clone https://kim:pw@host/r",
                "git clone https://kim:***@host/r",
            ),
            ("git clone ssh://git@host:22/r", "git clone ssh://git@host:22/r"),
            ("curl -H X-Auth-Token:abc x", "curl -H X-Auth-Token:*** x"),
            ("curl -H 'Authorization:abc' x", "curl -H 'Authorization:***' x"),
            ("echo 'token: abc'", "echo 'token: ***'"),
            ("echo '{\"token\":\"abc\"}'", "echo '{\"token\":\"***\"}'"),
            // Names of tests and targets are none.
            (
                "pytest tests/test_token.py::test_a",
                "pytest tests/test_token.py::test_a",
            ),
            ("cargo test token::a", "cargo test token::a"),
            ("rspec spec/token_spec.rb:12", "rspec spec/token_spec.rb:12"),
            ("gradlew :credentials:test", "gradlew :credentials:test"),
            ("bazel test //auth/token:unit", "bazel test //auth/token:unit"),
            (
                "cargo test token -- --max-tokens 5",
                "cargo test token -- --max-tokens 5",
            ),
            (
                "run --tokenizer a --primary-key=id",
                "run --tokenizer a --primary-key=id",
            ),
            ("grep -n password src", "grep -n password src"),
            (
                "AWS_SECRET_ACCESS_KEY=abc aws s3 ls",
                "AWS_SECRET_ACCESS_KEY=*** aws s3 ls",
            ),
            ("sk-something-plain", "sk-something-plain"),
            (
                "echo 비밀번호 --password=비밀 끝",
                "echo 비밀번호 --password=*** 끝",
            ),
            ("", ""),
        ] {
            assert_eq!(masked(line), shown, "{line}");
        }
        for beginning in ["ghp_", "sk-", "github_pat_", "glpat-", "npm_"] {
            let line = format!("echo {} >x", key(beginning));
            assert_eq!(masked(&line), format!("echo {beginning}*** >x"));
        }
        let pem = format!(
            "echo '-----BEGIN {0}-----\nabc\n-----END {0}-----' >k",
            "PRIVATE KEY"
        );
        assert_eq!(masked(&pem), "echo '***' >k");
    }

    #[test]
    fn a_secret_behind_its_option_is_a_word_of_its_own() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (line, shown) in [
            ("x --token abc --fast", "x --token *** --fast"),
            ("x --token=abc --fast", "x --token=*** --fast"),
            ("x --token $T", "x --token $T"),
            ("curl -u kim:pw x", "curl -u kim:*** x"),
            ("grep password src", "grep password src"),
        ] {
            assert_eq!(masked_words(&words(line)), words(shown), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_once_and_stays_as_it_is_then(
            parts in prop::collection::vec(prop_oneof![
                Just("TOKEN=".to_owned()), Just("--password ".to_owned()), Just("://a:b@".to_owned()),
                Just("Authorization: ".to_owned()), Just("-----BEGIN X KEY".to_owned()), Just("$".to_owned()),
                Just("-u ".to_owned()), "[a-c'\"\\\\:=@ {}.é한-]{0,6}",
            ], 0..12)
        ) {
            let line = parts.concat();
            let once = masked(&line);
            prop_assert_eq!(masked(&once), once);
        }

        #[test]
        fn no_value_of_a_secret_is_left(name in "(TOKEN|DB_PASSWORD|API_KEY|clientSecret)", value in "[a-z0-9]{6,20}") {
            prop_assume!(!name.to_lowercase().contains(&value));
            let line = format!("{name}={value} make");
            prop_assert!(!masked(&line).contains(&value));
            let json = format!("curl -d '{{\"{name}\":\"{value}\"}}'");
            prop_assert!(!masked(&json).contains(&value));
        }
    }
}
