//! As much of HTTP/1.1 as one client on the loopback interface needs: one request per connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const HEAD_LIMIT: u64 = 64 << 10;
const BODY_LIMIT: u64 = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(30);

/// One request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Reads one request from a connection.
pub(super) fn read(stream: &TcpStream) -> io::Result<Request> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut writer = stream;
    parse(&mut BufReader::new(stream), &mut writer)
}

fn parse(reader: &mut impl BufRead, writer: &mut impl Write) -> io::Result<Request> {
    let mut head = reader.take(HEAD_LIMIT);
    let first = line(&mut head)?;
    let mut words = first.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(bad("no request line"));
    };
    let (method, target) = (method.to_owned(), target.to_owned());
    let (mut length, mut chunked, mut expects) = (0, false, false);
    loop {
        let field = line(&mut head)?;
        if field.is_empty() {
            break;
        }
        let (name, value) = field
            .split_once(':')
            .ok_or_else(|| bad("a header without a colon"))?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(|_| bad("a wrong content-length"))?,
            "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => expects = true,
            _ => {}
        }
    }
    let reader = head.into_inner();
    if expects {
        writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = Vec::new();
    if chunked {
        read_chunks(reader, &mut body)?;
    } else if length > BODY_LIMIT {
        return Err(bad("a body above the limit"));
    } else {
        body.resize(
            usize::try_from(length).map_err(|_| bad("a body above the limit"))?,
            0,
        );
        reader.read_exact(&mut body)?;
    }
    let path = target.split('?').next().unwrap_or_default().to_owned();
    Ok(Request { method, path, body })
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let size = line(&mut reader.take(HEAD_LIMIT))?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| bad("a wrong chunk size"))?;
        if size + body.len() as u64 > BODY_LIMIT {
            return Err(bad("a body above the limit"));
        }
        if size == 0 {
            while !line(&mut reader.take(HEAD_LIMIT))?.is_empty() {}
            return Ok(());
        }
        reader.take(size).read_to_end(body)?;
        line(&mut reader.take(HEAD_LIMIT))?;
    }
}

/// One line without its end; an error at the end of the stream.
fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    reader.read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).map_err(|_| bad("a header that is not text"))
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Writes a whole answer; the connection ends with it.
pub(super) fn answer(stream: &mut impl Write, status: u16, kind: &str, body: &[u8]) -> io::Result<()> {
    let reason = if status < 400 { "OK" } else { "Error" };
    write!(
        stream,
        "HTTP/1.1 {status} {reason}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> io::Result<Request> {
        parse(&mut text.as_bytes(), &mut Vec::new())
    }

    #[test]
    fn bodies_with_a_length_and_in_chunks() {
        let plain =
            request("POST /v1/messages?beta=true HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello").unwrap();
        assert_eq!(
            (plain.method.as_str(), plain.path.as_str()),
            ("POST", "/v1/messages")
        );
        assert_eq!(plain.body, b"hello");
        let chunks =
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n";
        assert_eq!(request(chunks).unwrap().body, b"hello");
    }

    #[test]
    fn broken_requests_are_errors() {
        for text in [
            "",
            "GET",
            "\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort",
            "POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ] {
            assert!(request(text).is_err(), "{text:?}");
        }
    }
}
