use super::*;
use proptest::prelude::*;

#[test]
fn wording_is_all_that_the_lexical_embedder_sees() {
    let alike = |a: &str, b: &str| {
        let vectors = Lexical.embed(&[a, b]).unwrap();
        cosine(&vectors[0], &vectors[1])
    };
    assert!(alike("포트를 0으로 바꾸겠습니다.", "포트를 0으로 바꾸겠습니다!") > 0.999);
    assert!(alike("Ｒｅｔｒｙｉｎｇ the build", "retrying the BUILD") > 0.999);
    // A plan in other words and in another language is nothing alike, a walk through files is.
    assert!(alike("The function is too long.", "이 함수는 너무 깁니다.") < 0.1);
    assert!(alike("Adding the header to a.rs.", "Adding the header to b.rs.") > 0.7);
}

#[test]
fn cosines() {
    assert_eq!(cosine(&[], &[]), 0.0);
    assert_eq!(cosine(&[0.0], &[1.0]), 0.0);
    assert_eq!(cosine(&[f32::NAN], &[1.0]), 0.0);
    assert_eq!(cosine(&[1.0, 0.0], &[-2.0, 0.0]), -1.0);
    assert_eq!(least_cosine(&[vec![1.0]]), 1.0);
    assert_eq!(
        least_cosine(&[vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]]),
        0.0
    );
}

proptest! {
    #[test]
    fn any_text_has_a_finite_vector(text in "\\PC{0,200}") {
        let vectors = Lexical.embed(&[text.as_str(), text.as_str()]).unwrap();
        prop_assert!(vectors[0].iter().all(|x| x.is_finite()));
        prop_assert_eq!(&vectors[0], &vectors[1]);
    }
}

#[cfg(feature = "model")]
mod models {
    use super::*;
    use std::path::Path;

    /// A table of vectors as a safetensors file.
    fn tensors(dtype: &str, rows: &[[f32; 2]]) -> Vec<u8> {
        let mut data = Vec::new();
        for x in rows.iter().flatten() {
            match dtype {
                "F32" => data.extend(x.to_le_bytes()),
                // 1.0 and 2.0 and their like: exponent and sign are enough.
                "F16" => {
                    let bits = x.to_bits();
                    let half = if *x == 0.0 {
                        0
                    } else {
                        (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff)
                    };
                    data.extend((half as u16).to_le_bytes());
                }
                _ => data.push(*x as i8 as u8),
            }
        }
        file(
            &format!(
                r#"{{"__metadata__":{{"made":"here"}},"embeddings":{{"dtype":"{dtype}","shape":[{},2],"data_offsets":[0,{}]}}}}"#,
                rows.len(),
                data.len()
            ),
            &data,
        )
    }

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut out = (header.len() as u64).to_le_bytes().to_vec();
        out.extend(header.as_bytes());
        out.extend(data);
        out
    }

    const PIECES: &str = r####"{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
        "pre_tokenizer":{"type":"BertPreTokenizer"},
        "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
        "vocab":{"[UNK]":0,"build":1,"##ing":2,"fail":3,"##s":4,".":5}}}"####;
    const LIKELY: &str = r#"{"normalizer":{"type":"NFKC"},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
        "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0.0],["▁빌드",-2.0],["가",-3.0],["▁",-4.0],["빌",-6.0],["드가",-7.0]]}}"#;

    fn write(dir: &Path, tokenizer: &str, model: &[u8]) {
        std::fs::write(dir.join("tokenizer.json"), tokenizer).unwrap();
        std::fs::write(dir.join("model.safetensors"), model).unwrap();
        std::fs::write(
            dir.join("config.json"),
            r#"{"model_type":"model2vec","normalize":true}"#,
        )
        .unwrap();
    }

    #[test]
    fn words_are_cut_into_their_longest_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let rows = [
            [9.0, 9.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
            [0.0, 0.0],
            [0.0, 0.0],
        ];
        for dtype in ["F32", "F16", "I8"] {
            write(dir.path(), PIECES, &tensors(dtype, &rows));
            let model = StaticModel::open(dir.path()).unwrap();
            let vectors = model
                .embed(&["Building.", "BUILD", "fails", "unknown", ""])
                .unwrap();
            let half = 0.5_f32.sqrt();
            assert!(
                (vectors[0][0] - half).abs() < 1e-6 && (vectors[0][1] - half).abs() < 1e-6,
                "{dtype}"
            );
            assert_eq!(vectors[1], [1.0, 0.0], "{dtype}");
            assert_eq!(vectors[2], [-1.0, 0.0], "{dtype}");
            // Unknown words are left out, not taken for one another.
            assert_eq!(
                (&vectors[3], &vectors[4]),
                (&vec![0.0, 0.0], &vec![0.0, 0.0]),
                "{dtype}"
            );
        }
    }

    #[test]
    fn words_are_cut_into_their_likeliest_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let rows = [
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [7.0, 7.0],
            [7.0, 7.0],
            [7.0, 7.0],
        ];
        write(dir.path(), LIKELY, &tensors("F32", &rows));
        let model = StaticModel::open(dir.path()).unwrap();
        let vectors = model.embed(&["빌드가", "빌드"]).unwrap();
        let half = 0.5_f32.sqrt();
        assert!((vectors[0][0] - half).abs() < 1e-6 && (vectors[0][1] - half).abs() < 1e-6);
        assert_eq!(vectors[1], [1.0, 0.0]);
    }

    #[test]
    fn a_vocabulary_may_share_rows() {
        let dir = tempfile::tempdir().unwrap();
        let mut data: Vec<u8> = [1.0_f32, 0.0, 0.0, 1.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        data.extend(
            [0.0_f64, 3.0, 4.0, 1.0, 1.0, 1.0]
                .iter()
                .flat_map(|x| x.to_le_bytes()),
        );
        data.extend([0_i32, 0, 1, 0, 0, 0].iter().flat_map(|x| x.to_le_bytes()));
        let header = r#"{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"weights":{"dtype":"F64","shape":[6],"data_offsets":[16,64]},"mapping":{"dtype":"I32","shape":[6],"data_offsets":[64,88]}}"#;
        write(dir.path(), PIECES, &file(header, &data));
        let vectors = StaticModel::open(dir.path())
            .unwrap()
            .embed(&["building"])
            .unwrap();
        assert!(
            (vectors[0][0] - 0.6).abs() < 1e-6 && (vectors[0][1] - 0.8).abs() < 1e-6,
            "{vectors:?}"
        );
    }

    #[test]
    fn hostile_files_are_told_in_words() {
        let dir = tempfile::tempdir().unwrap();
        let rows = [[1.0, 0.0]; 6];
        let good = tensors("F32", &rows);
        let header = |h: &str| file(h, &[0; 16]);
        for (what, tokenizer, model) in [
            ("shorter than its own header", PIECES, vec![1, 2]),
            ("its header would have", PIECES, 9_u64.to_le_bytes().to_vec()),
            ("its header would have", PIECES, u64::MAX.to_le_bytes().to_vec()),
            ("header is damaged", PIECES, header("not json")),
            ("no tensor", PIECES, header("{}")),
            (
                "does not fit",
                PIECES,
                header(r#"{"embeddings":{"dtype":"F32","shape":[9,2],"data_offsets":[0,72]}}"#),
            ),
            (
                "does not fit",
                PIECES,
                header(
                    r#"{"embeddings":{"dtype":"F32","shape":[18446744073709551615,2],"data_offsets":[0,16]}}"#,
                ),
            ),
            (
                "does not fit",
                PIECES,
                header(r#"{"embeddings":{"dtype":"F32","shape":[2,2],"data_offsets":[16,0]}}"#),
            ),
            (
                "is no table",
                PIECES,
                header(r#"{"embeddings":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}"#),
            ),
            (
                "not read",
                PIECES,
                header(r#"{"embeddings":{"dtype":"Q4","shape":[2,2],"data_offsets":[0,16]}}"#),
            ),
            (
                "dimensions are read",
                PIECES,
                header(r#"{"embeddings":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]}}"#),
            ),
            ("damaged", "{", good.clone()),
            ("damaged", r#"{"model":{"type":"WordPiece"}}"#, good.clone()),
            ("\"BPE\" is not read", r#"{"model":{"type":"BPE"}}"#, good.clone()),
            (
                "\"ByteLevel\" is not read",
                r#"{"pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"WordLevel","vocab":{}}}"#,
                good.clone(),
            ),
        ] {
            write(dir.path(), tokenizer, &model);
            let error = StaticModel::open(dir.path()).unwrap_err().to_string();
            assert!(error.contains(what), "{what}: {error}");
        }
        // Two files that do not belong together are found when a text needs the missing row.
        write(dir.path(), PIECES, &tensors("F32", &[[1.0, 0.0]; 2]));
        let error = StaticModel::open(dir.path())
            .unwrap()
            .embed(&["fail"])
            .unwrap_err();
        assert!(error.to_string().contains("do not belong together"), "{error}");
        write(
            dir.path(),
            PIECES,
            &tensors("F32", &[[f32::NAN, f32::INFINITY]; 6]),
        );
        let error = StaticModel::open(dir.path())
            .unwrap()
            .embed(&["fail"])
            .unwrap_err();
        assert!(error.to_string().contains("no numbers"), "{error}");
        let error = StaticModel::open(&dir.path().join("nowhere")).unwrap_err();
        assert!(error.to_string().contains("there is no model"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_model_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,80}") {
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), PIECES, &file("{\"embeddings\":", &bytes));
            let _ = StaticModel::open(dir.path()).map(|m| m.embed(&[text.as_str()]));
            write(dir.path(), LIKELY, &tensors("I8", &[[1.0, 2.0]; 6]));
            let vectors = StaticModel::open(dir.path()).unwrap().embed(&[text.as_str()]).unwrap();
            prop_assert!(vectors[0].iter().all(|x| x.is_finite()));
        }
    }
}

#[cfg(feature = "endpoint")]
mod endpoints {
    use super::*;
    use proctor_testkit::model::{Behaviour, EmbeddingServer};
    use std::time::Duration;

    fn endpoint(url: &str) -> Endpoint {
        Endpoint::new(Access {
            url: url.to_owned(),
            model: "small".to_owned(),
            key: Some("k-123".to_owned()),
            timeout: Duration::from_millis(900),
        })
        .unwrap()
    }

    fn problem(behaviour: Behaviour) -> String {
        let server = EmbeddingServer::start(behaviour);
        endpoint(&server.url())
            .embed(&["a", "b"])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        let server = EmbeddingServer::start(Behaviour::Letters);
        let vectors = endpoint(&format!("{}/", server.url()))
            .embed(&["가나", "abcd", ""])
            .unwrap();
        assert_eq!(vectors, [[2.0, 1.0], [4.0, 1.0], [0.0, 1.0]]);
        let seen = server.seen();
        assert!(seen[0].starts_with("POST /v1/embeddings {"), "{seen:?}");
        assert!(seen[0].contains(r#""model":"small""#), "{seen:?}");
    }

    #[test]
    fn what_goes_wrong_is_told_without_the_key() {
        for (behaviour, what) in [
            (
                Behaviour::Say(500, "out of\nmemory".to_owned()),
                "500 Internal Server Error: out of memory",
            ),
            (Behaviour::Say(302, String::new()), "302"),
            (Behaviour::Say(200, "<html>".to_owned()), "none of embeddings"),
            (
                Behaviour::Say(200, r#"{"data":[]}"#.to_owned()),
                "0 vectors came for 2 texts",
            ),
            (
                Behaviour::Say(
                    200,
                    r#"{"data":[{"embedding":[1]},{"embedding":[1,2]}]}"#.to_owned(),
                ),
                "vectors of 1 and 2",
            ),
            (
                Behaviour::Say(
                    200,
                    r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#.to_owned(),
                ),
                "no place",
            ),
            (
                Behaviour::Say(200, r#"{"data":[{"embedding":[]},{"embedding":[]}]}"#.to_owned()),
                "vectors of 0",
            ),
            (Behaviour::Flood(17 << 20), "cannot be read"),
            (Behaviour::Hang(Duration::from_secs(3)), "cannot be reached"),
        ] {
            let text = problem(behaviour.clone());
            assert!(text.contains(what), "{what}: {text}");
            assert!(!text.contains("k-123"), "{text}");
        }
        assert!(endpoint("http://127.0.0.1:1/v1").embed(&["a"]).is_err());
        assert!(!format!("{:?}", endpoint("http://127.0.0.1:1/v1")).contains("k-123"));
    }

    #[test]
    fn only_urls_of_web_servers_are_taken() {
        for url in [
            "",
            "ftp://x",
            "http://",
            "http:///v1",
            "file:///etc",
            "https://user:word@host/v1",
        ] {
            let access = Access {
                url: url.to_owned(),
                model: String::new(),
                key: None,
                timeout: Duration::from_secs(1),
            };
            assert!(Endpoint::new(access).is_err(), "{url}");
        }
    }
}
