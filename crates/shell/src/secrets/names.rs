//! Which names say that what stands behind them is a secret, and which programs have short options for one.

/// Longest name that is looked at, in bytes.
const NAME: usize = 64;

/// Parts of a name that say that its value is a secret.
const PARTS: [&str; 12] = [
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
    "otp",
    "totp",
];
/// Ends of such parts, in names that are written in one.
const ENDS: [&str; 8] = [
    "password",
    "passwd",
    "passcode",
    "token",
    "secret",
    "accesskey",
    "secretkey",
    "privatekey",
];
/// What may stand before `key` in such a name.
const KEYS: [&str; 16] = [
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
    "app",
    "functions",
    "shared",
    "storage",
    "subscription",
];
/// Last parts of names of what is about a secret and is none.
const ABOUT: [&str; 31] = [
    "backend",
    "count",
    "dir",
    "endpoint",
    "env",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "filename",
    "format",
    "header",
    "kind",
    "len",
    "length",
    "lifetime",
    "limit",
    "name",
    "names",
    "path",
    "policy",
    "provider",
    "size",
    "stdin",
    "store",
    "timeout",
    "ttl",
    "type",
    "uri",
    "url",
];
/// First parts of options that take no value, and of figures.
const FLAGS: [&str; 16] = [
    "allow", "ask", "disable", "enable", "has", "hide", "is", "max", "min", "no", "num", "prompt", "require",
    "show", "skip", "with",
];
/// What may stand before `pass` in one word.
const BEFORE_PASS: [&str; 12] = [
    "", "admin", "become", "db", "ftp", "http", "mail", "proxy", "root", "smtp", "sudo", "user",
];
/// Short forms, which are those of other words as well: they count where a value is assigned.
const SHORT_NAMES: [&str; 4] = ["pwd", "pw", "psw", "pswd"];

/// Whether a name says that its value is a secret: `DB_PASSWORD`, `--api-key`, `accessToken`.
pub(super) fn is_secret(name: &str) -> bool {
    if name.len() > NAME {
        return false;
    }
    let parts = parts(name);
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return false;
    };
    if ABOUT.contains(&last.as_str()) || name.starts_with('-') && FLAGS.contains(&first.as_str()) {
        return false;
    }
    if matches!(first.as_str(), "max" | "min" | "num") && last == "token" {
        return false;
    }
    let is_one = |part: &String| ENDS.iter().any(|e| part.ends_with(e)) || PARTS.contains(&part.as_str());
    // `--secret-id` names one; `ACCESS_KEY_ID` is half of one.
    let by_word = parts.iter().any(is_one) && !matches!(last.as_str(), "id" | "ids");
    let mut pairs = parts.iter().zip(parts.iter().skip(1));
    let by_key = pairs.any(|(before, part)| part == "key" && KEYS.contains(&before.as_str()));
    by_word || by_key || is_cookie(name)
}

/// Whether a name says so where a value is assigned to it: `DB_PASS=…`, `"pwd": "…"`.
pub(super) fn is_secret_when_set(name: &str) -> bool {
    if name.len() > NAME {
        return false;
    }
    let parts = parts(name);
    let Some(last) = parts.last() else {
        return false;
    };
    let is_pass = last
        .strip_suffix("pass")
        .is_some_and(|rest| BEFORE_PASS.contains(&rest));
    // `PWD` alone is the folder.
    is_pass || SHORT_NAMES.contains(&last.as_str()) && (parts.len() > 1 || last != "pwd")
}

/// Whether a name is that of a header, which may stand right before its value.
pub(super) fn is_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "authorization" | "proxy-authorization")
        || is_cookie(&name)
        || name.starts_with("x-")
}

/// Whether all the rest of a header's line is its value.
pub(super) fn is_long_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("authorization") || is_cookie(&name)
}

fn is_cookie(name: &str) -> bool {
    let name = name.trim_start_matches('-');
    name.eq_ignore_ascii_case("cookie") || name.eq_ignore_ascii_case("set-cookie")
}

/// The parts of a name in small letters, without the figures at their ends: `apiKey`, `DB_PASSWORD2`.
fn parts(name: &str) -> Vec<String> {
    let words = name.split(['_', '-', '.']).flat_map(camel);
    let plain = |part: String| match part.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "" => part,
        rest => rest.to_owned(),
    };
    words.map(plain).filter(|part| !part.is_empty()).collect()
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

/// What the value of an option holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing but a secret.
    Secret,
    /// A name, this sign and a secret.
    Behind(char),
    /// Cookies, or the name of a file with them.
    Cookies,
}

/// An option of one letter.
struct Short {
    /// The programs that have it.
    programs: &'static [&'static str],
    /// The word that has to stand before it, where it means something else without.
    after: Option<&'static str>,
    option: &'static str,
    /// Whether its value may be the next word.
    apart: bool,
    holds: Holds,
}

const fn short(programs: &'static [&'static str], option: &'static str, holds: Holds) -> Short {
    Short {
        programs,
        after: None,
        option,
        apart: true,
        holds,
    }
}

/// Containers: their `-u` is a user and a group.
const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl"];

const SHORTS: [Short; 12] = [
    Short {
        // With a blank behind it, it asks for one.
        apart: false,
        ..short(
            &[
                "mysql",
                "mysqladmin",
                "mysqlcheck",
                "mysqldump",
                "mysqlimport",
                "mysqlpump",
                "mysqlshow",
                "mysqlslap",
                "mariadb",
                "mariadb-admin",
                "mariadb-dump",
            ],
            "-p",
            Holds::Secret,
        )
    },
    Short {
        apart: false,
        ..short(&["7z", "7za", "7zr", "7zz", "rar", "unrar"], "-p", Holds::Secret)
    },
    short(
        &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "sshpass",
            "cqlsh",
        ],
        "-p",
        Holds::Secret,
    ),
    short(&["redis-cli"], "-a", Holds::Secret),
    short(
        &[
            "ldapadd",
            "ldapdelete",
            "ldapmodify",
            "ldappasswd",
            "ldapsearch",
            "ldapwhoami",
        ],
        "-w",
        Holds::Secret,
    ),
    short(
        &["bcp", "ipmitool", "sqlcmd", "tsql", "unzip", "zip"],
        "-P",
        Holds::Secret,
    ),
    short(&["smbclient", "rpcclient"], "-U", Holds::Behind('%')),
    short(&["http", "https", "xh"], "-a", Holds::Behind(':')),
    short(&["curl"], "-b", Holds::Cookies),
    short(&["curl"], "-u", Holds::Behind(':')),
    short(&["curl"], "-U", Holds::Behind(':')),
    Short {
        after: Some("login"),
        ..short(
            &[
                "az", "buildah", "cf", "docker", "helm", "nerdctl", "oc", "oras", "podman", "skopeo",
            ],
            "-p",
            Holds::Secret,
        )
    },
];

/// Options whose value is a name, a colon and a secret, of whatever program.
const USERS: [&str; 3] = ["-u", "--user", "--proxy-user"];

/// What was read of the command so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen<'t> {
    /// The last program that has short options for secrets, or takes `-u` for something else.
    program: Option<&'t str>,
    login: bool,
    /// The word before.
    pub(super) last: &'t str,
}

impl<'t> Seen<'t> {
    /// Takes in a word.
    pub(super) fn learn(&mut self, word: &'t str) {
        let name = word.rsplit('/').next().unwrap_or(word);
        let is_known = |short: &Short| short.programs.contains(&name);
        if SHORTS.iter().any(is_known) || CONTAINERS.contains(&name) || name == "openssl" {
            self.program = Some(name);
        }
        self.login |= name == "login";
        self.last = word;
    }

    /// Whether this program was named.
    pub(super) fn is(&self, program: &str) -> bool {
        self.program == Some(program)
    }

    /// What the next word holds, behind this option.
    pub(super) fn apart(&self, option: &str) -> Option<Holds> {
        if !option.starts_with('-') {
            // `aws configure set aws_secret_access_key …`
            return (self.last == "set" && is_secret(option)).then_some(Holds::Secret);
        }
        if option.contains('=') {
            return None;
        }
        let short = self.shorts().find(|short| short.apart && short.option == option);
        if let Some(short) = short {
            return Some(short.holds);
        }
        // Several letters in one, the last with a value: `-su kim:…`.
        let several =
            option.len() > 2 && !option.starts_with("--") && option.ends_with('u') && self.is("curl");
        if several || self.is_user(option) {
            return Some(Holds::Behind(':'));
        }
        is_secret(option).then_some(Holds::Secret)
    }

    /// The option at the beginning of a text that holds its value in the same word, with what that holds.
    pub(super) fn attached(&self, text: &str) -> Option<(&'static str, Holds)> {
        let is_it = |short: &&Short| {
            let rest = text.strip_prefix(short.option);
            rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()))
        };
        self.shorts().find(is_it).map(|short| (short.option, short.holds))
    }

    /// Whether an option's value is a name, a colon and a secret.
    pub(super) fn is_user(&self, option: &str) -> bool {
        let group = option == "-u" && !self.login && self.program.is_some_and(|p| CONTAINERS.contains(&p));
        USERS.contains(&option) && !group
    }

    fn shorts(&self) -> impl Iterator<Item = &'static Short> {
        let seen = *self;
        let fits = move |short: &&Short| {
            seen.program
                .is_some_and(|program| short.programs.contains(&program))
                && (short.after.is_none() || seen.login)
        };
        SHORTS.iter().filter(fits)
    }
}
