import StreamsTesting
import Testing

@testable import LoopbackServer

/// Requests to parse: the start of every mutation, and the corpus that fuzzing grew from.
enum Samples {
    struct Refused: Sendable, CustomTestStringConvertible {
        let status: Int
        let text: String
        var testDescription: String { "\(status) \(text.prefix(60).debugDescription)" }
    }

    static let wellFormed: [[UInt8]] =
        [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\n\r\nGET /a%20b?c=d&e HTTP/1.1\r\nhost:\t a \r\nAccept: */*\r\n\r\n",
            "HEAD /x HTTP/1.0\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
            "PUT /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
            "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1 ; ext\r\n!\r\n0\r\nTrailer: yes\r\n\r\n",
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        ].map { Array($0.utf8) } + validHosts.map { Array("GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n".utf8) }
        + validHosts.map { Array("GET http://\($0)/ HTTP/1.1\r\nHost: a\r\n\r\n".utf8) } + validChunkLines.map { Array(chunked($0).utf8) }

    private static let validHosts = [
        "a", "a:80", "a:", "A.example.", "127.0.0.1", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", "ex%61mple.com", "xn--bcher-kva.example",
        "a_b",
        "a'(b)",
    ]

    private static let invalidHosts = [
        "", ":80", "user@a", "user:secret@a", "a/b", "a?b", "a#b", "a,b", "a, b", "a b", "a:x", "a:80x", "a:80:80", "a%", "a%4", "a%4x",
        "a\\b",
        "[::1", "[::1]x", "[]", "[a]", "[::1]:x", "[[::1]]", "::1", "a[b", "<a>", "\"a\"", "ä",
    ]

    private static let validChunkLines = [
        "5", "005", "5;a", "5 ; a", "5\t;\ta", "5;a=b;c", "5;a = b", "5;a=\"\"", "5;a=\"x;y\"", "5;a=\"\\\"\"", "5;a=\"\t\\\\\";b",
    ]

    private static let invalidChunkLines = [
        "5 ", "5\t", "5;", "5; ", "5; ;", "5;;a", "5;a ", "5;a b", "5;a=", "5;a=;b", "5;a==b", "5;a=b c", "5;=b", "5,a", "5 5", "0x5",
        "5;a=\"",
        "5;a=\"x", "5;a=\"x\\", "5;a=\"x\\\"", "5;a=\"x\"y", "5;a=\"\u{1}\"", "5;\u{1}", "5;a=\"\\\u{1}\"", "5;ä", "+5", " 5",
    ]

    private static func chunked(_ line: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(line)\r\nhello\r\n0\r\n\r\n"
    }

    static let refused: [Refused] =
        refusedHeads.map { Refused(status: $0.0, text: $0.1) }
        + invalidHosts.map { Refused(status: 400, text: "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
        // A slash or a question mark ends the host of a URL.
        + invalidHosts.filter { !$0.contains(where: "/?".contains) }.map {
            Refused(status: 400, text: "GET http://\($0)/ HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        + invalidChunkLines.map { Refused(status: 400, text: chunked($0)) }

    private static let refusedHeads: [(Int, String)] = [
        (400, "GET\r\n\r\n"),
        (400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        (400, "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET /\u{7f} HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET nowhere HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET / FTP/1.1\r\nHost: a\r\n\r\n"),
        (505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
        (400, "GET / HTTP/1.1\nHost: a\n\n"),
        (400, "GET / HTTP/1.1\r\n\r\n"),
        (400, "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"),
        (400, "GET / HTTP/1.0\r\nHost:\r\n\r\n"),
        (400, "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET http:// HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET http://?x HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n"),
        (400, "\r\n\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding:\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,\r\nContent-Length: 1\r\n\r\n"),
        (501, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n"),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n"),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n"),
        (501, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
        (417, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: tea\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na0\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n"),
        (414, "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n"),
        (431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 70_000)),
        (431, "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 4_000)),
    ]

    static let malformed = refused.map(\.text).filter { $0.utf8.count < 1_000 }.map { Array($0.utf8) }

    /// One of the samples with a few bytes changed, left out, doubled or put in.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        let all = wellFormed + malformed
        var bytes = all[Int(random.next() % UInt64(all.count))]
        for _ in 0..<(random.next() % 6) where !bytes.isEmpty {
            let position = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(Array("\r\n :;0f".utf8)[Int(random.next() % 7)], at: position)
            default: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
            }
        }
        return bytes
    }
}
