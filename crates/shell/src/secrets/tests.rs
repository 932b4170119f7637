//! What is hidden of command lines, and what is not.

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
fn options_of_known_programs_hold_secrets() {
    for (line, shown) in [
        ("mysql -uroot -phunter2 db", "mysql -uroot -p*** db"),
        ("mysqldump -h x -p'a b' db >o", "mysqldump -h x -p'***' db >o"),
        (
            "docker exec db /usr/bin/mysql -phunter2",
            "docker exec db /usr/bin/mysql -p***",
        ),
        ("sh -c 'mysql -phunter2 db'", "sh -c 'mysql -p*** db'"),
        ("mysql -p db", "mysql -p db"),
        ("mysql -p\"$PW\" db", "mysql -p\"$PW\" db"),
        (
            "docker run --name mysql -p3306:3306 x",
            "docker run --name mysql -p3306:3306 x",
        ),
        ("mysql -e x; ssh -p2222 host", "mysql -e x; ssh -p2222 host"),
        ("pytest -p no:cacheprovider", "pytest -p no:cacheprovider"),
        ("mkdir -p a/b && cp -pr a b", "mkdir -p a/b && cp -pr a b"),
        ("sshpass -p hunter2 ssh h", "sshpass -p *** ssh h"),
        ("sshpass -phunter2 ssh h", "sshpass -p*** ssh h"),
        ("redis-cli -a hunter2 ping", "redis-cli -a *** ping"),
        ("curl -ukim:hunter2 x", "curl -ukim:*** x"),
        ("curl -su kim:hunter2 x", "curl -su kim:*** x"),
        ("curl -u \"kim:$PW\" x", "curl -u \"kim:***\" x"),
        ("curl -b 'sid=abc' x", "curl -b '***' x"),
        ("curl -b jar.txt x", "curl -b jar.txt x"),
        ("sort -u names.txt -b x", "sort -u names.txt -b x"),
        (
            "docker login -u kim -p hunter2 reg",
            "docker login -u kim -p *** reg",
        ),
        (
            "docker run -u kim:staff -p 80:80 x",
            "docker run -u kim:staff -p 80:80 x",
        ),
        (
            "echo x | docker login --password-stdin reg.io",
            "echo x | docker login --password-stdin reg.io",
        ),
        ("smbclient -U kim%hunter2 //h/s", "smbclient -U kim%*** //h/s"),
        ("zip -P hunter2 a.zip b", "zip -P *** a.zip b"),
        (
            "openssl rsa -passin pass:hunter2 -in k",
            "openssl rsa -passin pass:*** -in k",
        ),
        ("rspec pass:all", "rspec pass:all"),
        (
            "aws configure set aws_secret_access_key abc/d",
            "aws configure set aws_secret_access_key ***",
        ),
    ] {
        assert_eq!(masked(line), shown, "{line}");
    }
}

#[test]
fn further_forms() {
    for (line, shown) in [
        // Words of the shell with more than one piece.
        ("FOO_TOKEN=ab\\ cd make", "FOO_TOKEN=*** make"),
        ("FOO_TOKEN=\"a b\"'c d'e make", "FOO_TOKEN=*** make"),
        ("FOO_TOKEN=$'a b' make", "FOO_TOKEN=*** make"),
        (
            "export A=1 DB_PWD=abc PWD=/home/kim",
            "export A=1 DB_PWD=*** PWD=/home/kim",
        ),
        (
            "IMAP_PASSWORD1=abc x --password2 def",
            "IMAP_PASSWORD1=*** x --password2 ***",
        ),
        (
            "kubectl create secret generic x --from-literal=password=abc",
            "kubectl create secret generic x --from-literal=password=***",
        ),
        (
            "docker run -e DB_PASSWORD=abc -e N=1 x",
            "docker run -e DB_PASSWORD=*** -e N=1 x",
        ),
        ("OTP=123456 ./login", "OTP=*** ./login"),
        // Texts of other languages.
        (
            "python3 -c 'password = \"hunter2\"; n = 1'",
            "python3 -c 'password = \"***\"; n = 1'",
        ),
        (
            "curl -d '{\"password\" : \"a\", \"pass\":\"b\"}' x",
            "curl -d '{\"password\" : \"***\", \"pass\":\"***\"}' x",
        ),
        (
            "curl -d 'user=kim&password=a&n=1' x",
            "curl -d 'user=kim&password=***&n=1' x",
        ),
        (
            "curl -H 'Ocp-Apim-Subscription-Key: abc' x",
            "curl -H 'Ocp-Apim-Subscription-Key: ***' x",
        ),
        ("curl --cookie sid=abc x", "curl --cookie *** x"),
        (
            "grpcurl -H 'x: Bearer aaaa1111bbbb2222' h",
            "grpcurl -H 'x: Bearer ***' h",
        ),
        (
            "git -c http.extraheader=\"AUTHORIZATION: basic abc\" fetch",
            "git -c http.extraheader=\"AUTHORIZATION: ***\" fetch",
        ),
        // Addresses.
        (
            "git clone https://aaaa1111bbbb2222@host/r",
            "git clone https://***@host/r",
        ),
        ("psql postgres://kim:a#b@h/db", "psql postgres://kim:***@h/db"),
        ("redis-cli -u redis://:abc@h:1", "redis-cli -u redis://:***@h:1"),
        ("curl 'http://h:80?to=a@b.c'", "curl 'http://h:80?to=a@b.c'"),
        (
            "curl 'https://h/x?token=abc&n=1'",
            "curl 'https://h/x?token=***&n=1'",
        ),
        ("git clone https://kim@host/r", "git clone https://kim@host/r"),
    ] {
        assert_eq!(masked(line), shown, "{line}");
    }
}

#[test]
fn what_is_about_a_secret_is_none() {
    for line in [
        "ansible-playbook --vault-password-file ~/.pw site.yml",
        "x --token-file=/run/t SECRET_NAME=db TOKEN_URL=https://h/t",
        "x --token-type bearer --max-token 5 --no-password db",
        "aws secretsmanager get-secret-value --secret-id prod/db",
        "docker build --secret id=npm,src=.npmrc .",
        "gh auth login --with-token < t",
        "SKIP_BYPASS=1 npm test -- --bypass=all compass=x",
        "git commit -m 'fix token: refresh it when it is old'",
        "git commit -m 'password: trim blanks, basic authentication'",
        "cargo test password_is_hashed",
        "grep -rn 'bearer token' src && ls -la secrets/",
        "pwd=/tmp; cd $pwd",
        "sed -i 's/token/key/' a.rs",
        "gradle test --tests '*Token*' -PskipSecrets=true",
        "pytest -k 'token or secret' -p xdist",
        "curl -d '{\"token\": null, \"password\": true}' x",
        "kubectl get secret db -o yaml",
    ] {
        assert_eq!(masked(line), line);
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(masked_words(&words), words, "{line}");
    }
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
        ("mysql -uroot -phunter2 db", "mysql -uroot -p*** db"),
        ("sshpass -p hunter2 ssh h", "sshpass -p *** ssh h"),
        ("curl -ukim:pw x", "curl -ukim:*** x"),
        ("docker login -u kim -p pw r", "docker login -u kim -p *** r"),
        (
            "aws configure set aws_secret_access_key abc",
            "aws configure set aws_secret_access_key ***",
        ),
        ("env DB_PASS=a\tb x", "env DB_PASS=*** x"),
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
            Just("-u ".to_owned()), Just("mysql -p".to_owned()), Just("curl -b ".to_owned()),
            Just("bearer aaaa1111bbbb2222".to_owned()), Just("\"pass\" : ".to_owned()), Just("secret := ".to_owned()),
            Just("\\".to_owned()), Just("$'".to_owned()), "[a-c'\"\\\\:=@ {}.é한-]{0,6}",
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
