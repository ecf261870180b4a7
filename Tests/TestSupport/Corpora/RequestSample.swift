import Testing

/// A request as bytes, and how every server of the package answers it. The kinds are those of the public Http11Probe and of the examples in
/// RFC 9112, in words of their own.
public struct RequestSample: Sendable, CustomTestStringConvertible {
    public enum Answer: Sendable, Equatable {
        /// It is served.
        case served
        /// It is refused with this status.
        case refused(Int)
        /// More bytes are awaited.
        case awaited
    }

    public let name: String
    public let text: String
    public let answer: Answer

    public var testDescription: String { name }

    public static let all = lines + fields + hosts + lengths + codings + chunks

    private init(_ name: String, _ answer: Answer, _ text: String) {
        (self.name, self.answer, self.text) = (name, answer, text)
    }

    private static func line(_ name: String, _ answer: Answer, _ line: String) -> RequestSample {
        RequestSample(name, answer, line + "\r\nHost: a\r\n\r\n")
    }

    private static func field(_ name: String, _ answer: Answer, _ field: String) -> RequestSample {
        RequestSample(name, answer, "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    }

    private static func host(_ name: String, _ answer: Answer, _ value: String) -> RequestSample {
        RequestSample(name, answer, "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n")
    }

    private static func length(_ name: String, _ answer: Answer, _ fields: String) -> RequestSample {
        RequestSample(name, answer, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\nhello")
    }

    private static func coding(_ name: String, _ answer: Answer, _ fields: String) -> RequestSample {
        RequestSample(name, answer, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    }

    private static func chunk(_ name: String, _ answer: Answer, _ body: String) -> RequestSample {
        RequestSample(name, answer, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    }

    private static let lines = [
        line("a plain request", .served, "GET / HTTP/1.1"),
        line("empty lines before a request", .served, "\r\n\r\nGET / HTTP/1.1"),
        line("many empty lines before a request", .refused(400), "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1"),
        line("a method in small letters is another method", .served, "get / HTTP/1.1"),
        line("a method with a bracket", .refused(400), "G(T / HTTP/1.1"),
        line("a method beyond ASCII", .refused(400), "GÉT / HTTP/1.1"),
        line("no method", .refused(400), " / HTTP/1.1"),
        line("no target", .refused(400), "GET HTTP/1.1"),
        line("an empty target", .refused(400), "GET  HTTP/1.1"),
        line("no version, as in HTTP/0.9", .refused(400), "GET /"),
        line("two blanks before the target", .refused(400), "GET  / HTTP/1.1"),
        line("two blanks before the version", .refused(400), "GET /  HTTP/1.1"),
        line("a tab in place of a blank", .refused(400), "GET\t/ HTTP/1.1"),
        line("a blank before the method", .refused(400), " GET / HTTP/1.1"),
        line("a blank after the version", .refused(400), "GET / HTTP/1.1 "),
        line("a blank within the target", .refused(400), "GET /a b HTTP/1.1"),
        line("a version in small letters", .refused(400), "GET / http/1.1"),
        line("a version of another protocol", .refused(400), "GET / FTP/1.1"),
        line("a version with three digits", .refused(400), "GET / HTTP/1.10"),
        line("a version with a leading zero", .refused(400), "GET / HTTP/01.1"),
        line("a version with a comma", .refused(400), "GET / HTTP/1,1"),
        line("a version without a minor number", .refused(400), "GET / HTTP/1"),
        line("a later minor version", .refused(505), "GET / HTTP/1.2"),
        line("a later major version", .refused(505), "GET / HTTP/2.0"),
        RequestSample("the preface of HTTP/2", .refused(505), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        RequestSample("the beginning of TLS", .refused(400), "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n"),
        RequestSample("a bare line feed after the request line", .refused(400), "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        RequestSample("bare carriage returns as line ends", .awaited, "GET / HTTP/1.1\rHost: a\r\r"),
        RequestSample("nothing", .awaited, ""),
        RequestSample("a part of a request line", .awaited, "GET / HT"),
        RequestSample("a part of a header", .awaited, "GET / HTTP/1.1\r\nHost: a\r\nX"),
        RequestSample("a long request line", .refused(414), "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n"),
        line("a fragment", .refused(400), "GET /a#b HTTP/1.1"),
        line("a NUL in the target", .refused(400), "GET /\u{0} HTTP/1.1"),
        line("a control character in the target", .refused(400), "GET /\u{1B} HTTP/1.1"),
        line("a DEL in the target", .refused(400), "GET /\u{7F} HTTP/1.1"),
        line("letters beyond ASCII in the target", .refused(400), "GET /ä HTTP/1.1"),
        line("characters that a URL escapes and browsers do not", .served, "GET /a\\b|{c}?d=[e]\"f\" HTTP/1.1"),
        line("escapes of control characters in the target", .served, "GET /a%00%0D%0Ab HTTP/1.1"),
        line("a relative target", .refused(400), "GET a/b HTTP/1.1"),
        line("an asterisk for OPTIONS", .served, "OPTIONS * HTTP/1.1"),
        line("an asterisk for another method", .refused(400), "GET * HTTP/1.1"),
        line("the target of CONNECT", .refused(400), "CONNECT a:80 HTTP/1.1"),
        line("a URL", .served, "GET http://a:80/b?c HTTP/1.1"),
        line("a URL without a path", .served, "GET HTTPS://a?b HTTP/1.1"),
        line("a URL with a user", .refused(400), "GET http://u@a/ HTTP/1.1"),
        line("a URL without a host", .refused(400), "GET http:///a HTTP/1.1"),
        line("a URL with a port that is no number", .refused(400), "GET http://a:b/ HTTP/1.1"),
        line("a URL of another protocol", .refused(400), "GET ftp://a/ HTTP/1.1"),
    ]

    private static let fields = [
        field("a tab in a value", .served, "X: a\tb"),
        field("blanks around a value", .served, "X: \t a \t"),
        field("no blank before a value", .served, "X:a"),
        field("an empty value", .served, "X:"),
        field("a value in UTF-8", .served, "X: ä"),
        field("all characters of a token", .served, "!#$%&'*+-.^_`|~09AZaz: a"),
        field("no colon", .refused(400), "X"),
        field("an empty name", .refused(400), ": a"),
        field("a blank before the colon", .refused(400), "X : a"),
        field("a tab before the colon", .refused(400), "X\t: a"),
        field("a blank within a name", .refused(400), "X Y: a"),
        field("a name beyond ASCII", .refused(400), "Ä: a"),
        field("a control character in a name", .refused(400), "X\u{1}: a"),
        field("a quote in a name", .refused(400), "\"X\": a"),
        field("a NUL in a value", .refused(400), "X: a\u{0}b"),
        field("a carriage return in a value", .refused(400), "X: a\rY: b"),
        field("a bell in a value", .refused(400), "X: \u{7}"),
        field("a DEL in a value", .refused(400), "X: \u{7F}"),
        field("a value on two lines", .refused(400), "X: a\r\n b"),
        field("a value on two lines, with a tab", .refused(400), "X: a\r\n\tb"),
        field("a line of blanks", .refused(400), "X: a\r\n \r\nY: b"),
        field("a bare line feed after a field", .refused(400), "X: a\nY: b"),
        RequestSample("a bare line feed after the header", .refused(400), "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        RequestSample("a blank before the first field", .refused(400), "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        field("a long name", .refused(431), String(repeating: "x", count: 70_000) + ": a"),
        field("a long value", .refused(431), "X: " + String(repeating: "x", count: 70_000)),
        field("many fields", .refused(431), String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 4_000) + "Y: b"),
        field("an unknown expectation", .refused(417), "Expect: tea"),
        field("an unknown expectation beside two lengths", .refused(400), "Expect: tea\r\nContent-Length: 1\r\nContent-Length: 2"),
        field(
            "an unknown expectation beside a length and chunks", .refused(400),
            "Expect: tea\r\nContent-Length: 1\r\nTransfer-Encoding: chunked"),
        field("an unknown expectation beside a coding", .refused(501), "Expect: tea\r\nTransfer-Encoding: gzip"),
        field("an unknown expectation beside a long body", .refused(413), "Expect: tea\r\nContent-Length: 99999999999"),
    ]

    private static let hosts =
        [
            "a", "a:80", "a:", "A.example.", "127.0.0.1", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]", "ex%61mple.com", "a_b", "a'(b)",
        ].map { host("the host \($0)", .served, $0) }
        + [
            "", ":80", "user@a", "user:secret@a", "a/b", "a?b", "a#b", "a,b", "a, b", "a b", "a:x", "a:80x", "a:80:80", "a%", "a%4", "a%4x",
            "a\\b", "[::1", "[::1]x", "[]", "[a]", "[::1]:x", "[[::1]]", "::1", "a[b", "<a>", "\"a\"", "ä",
        ].map { host("the host \($0.debugDescription)", .refused(400), $0) } + [
            RequestSample("no host", .refused(400), "GET / HTTP/1.1\r\n\r\n"),
            RequestSample("no host in HTTP/1.0", .served, "GET / HTTP/1.0\r\n\r\n"),
            RequestSample("two hosts", .refused(400), "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
            RequestSample("one host twice", .refused(400), "GET / HTTP/1.0\r\nHost: a\r\nhost: a\r\n\r\n"),
            RequestSample("an empty host beside a URL", .served, "GET http://a/ HTTP/1.1\r\nHost:\r\n\r\n"),
            RequestSample("another host beside a URL", .served, "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n"),
            RequestSample("no host beside a URL", .refused(400), "GET http://a/ HTTP/1.1\r\n\r\n"),
            RequestSample("an invalid host beside a URL", .refused(400), "GET http://a/ HTTP/1.1\r\nHost: a b\r\n\r\n"),
        ]

    private static let lengths = [
        length("a length", .served, "Content-Length: 5"),
        length("a length that more bytes would reach", .awaited, "Content-Length: 6"),
        length("a length with zeros before it", .served, "Content-Length: 005"),
        length("a length with blanks around it", .served, "Content-Length: \t 5 \t"),
        length("a length twice", .served, "Content-Length: 5\r\nContent-Length: 5"),
        length("a length in two spellings", .served, "Content-Length: 5\r\ncontent-length: 05"),
        length("two lengths", .refused(400), "Content-Length: 5\r\nContent-Length: 6"),
        length("a list of equal lengths", .refused(400), "Content-Length: 5, 5"),
        length("a list of lengths", .refused(400), "Content-Length: 5, 6"),
        length("no length", .refused(400), "Content-Length:"),
        length("a negative length", .refused(400), "Content-Length: -5"),
        length("a length with a plus sign", .refused(400), "Content-Length: +5"),
        length("a length with a fraction", .refused(400), "Content-Length: 5.0"),
        length("a hexadecimal length", .refused(400), "Content-Length: 0x5"),
        length("an octal length", .refused(400), "Content-Length: 0o5"),
        length("a length with an underscore", .refused(400), "Content-Length: 0_5"),
        length("a length with a blank in it", .refused(400), "Content-Length: 0 5"),
        length("a length in other digits", .refused(400), "Content-Length: ٥"),
        length("a length of letters", .refused(400), "Content-Length: five"),
        length("a blank before the colon of a length", .refused(400), "Content-Length : 5"),
        length("a long body", .refused(413), "Content-Length: 99999999999"),
        length("a length beyond all numbers", .refused(413), "Content-Length: 99999999999999999999999"),
    ]

    private static let codings = [
        coding("chunks", .served, "Transfer-Encoding: chunked"),
        coding("chunks in capitals", .served, "TRANSFER-ENCODING: CHUNKED"),
        coding("chunks with blanks around them", .served, "Transfer-Encoding: \tchunked "),
        coding("chunks after an empty member", .served, "Transfer-Encoding: , chunked"),
        coding("chunks before an empty member", .served, "Transfer-Encoding: chunked,"),
        coding("chunks beside a length", .refused(400), "Transfer-Encoding: chunked\r\nContent-Length: 5"),
        coding("a length beside chunks", .refused(400), "Content-Length: 5\r\nTransfer-Encoding: chunked"),
        coding("a length beside no coding", .refused(400), "Content-Length: 5\r\nTransfer-Encoding:"),
        coding("a length beside another coding", .refused(400), "Content-Length: 5\r\nTransfer-Encoding: xchunked"),
        coding(
            "a length beyond all numbers beside chunks", .refused(400), "Content-Length: 99999999999999999999\r\nTransfer-Encoding: chunked"
        ),
        coding("chunks with a blank in their name", .refused(501), "Transfer-Encoding: chu nked"),
        coding("chunks on another line", .refused(400), "Transfer-Encoding:\r\n chunked"),
        coding("a blank before the colon of chunks", .refused(400), "Transfer-Encoding : chunked"),
        coding("a vertical tab after chunks", .refused(400), "Transfer-Encoding: chunked\u{B}"),
        coding("a form feed before chunks", .refused(400), "Transfer-Encoding: \u{C}chunked"),
        coding("a NUL after chunks", .refused(400), "Transfer-Encoding: chunked\u{0}"),
        coding("no coding", .refused(501), "Transfer-Encoding:"),
        coding("another coding", .refused(501), "Transfer-Encoding: xchunked"),
        coding("identity", .refused(501), "Transfer-Encoding: identity"),
        coding("compression", .refused(501), "Transfer-Encoding: gzip, chunked"),
        coding("compression of chunks", .refused(501), "Transfer-Encoding: chunked, gzip"),
        coding("chunks of chunks", .refused(501), "Transfer-Encoding: chunked, chunked"),
        coding("chunks twice", .refused(501), "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        coding("chunks with a parameter", .refused(501), "Transfer-Encoding: chunked;q=1"),
        coding("chunks in quotes", .refused(501), "Transfer-Encoding: \"chunked\""),
        RequestSample("chunks in HTTP/1.0", .refused(400), "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static func chunkLine(_ answer: Answer, _ line: String) -> RequestSample {
        chunk("the chunk \(line.debugDescription)", answer, "\(line)\r\nhello\r\n0\r\n\r\n")
    }

    private static let chunks =
        [
            "5", "005", "5;a", "5 ; a", "5\t;\ta", "5;a=b;c", "5;a = b", "5;a=\"\"", "5;a=\"x;y\"", "5;a=\"\\\"\"", "5;a=\"\t\\\\\";b",
        ].map { chunkLine(.served, $0) }
        + [
            "", "5 ", "5\t", "5;", "5; ", "5; ;", "5;;a", "5;a ", "5;a b", "5;a=", "5;a=;b", "5;a==b", "5;a=b c", "5;=b", "5,a", "5 5",
            "0x5",
            "5;a=\"", "5;a=\"x", "5;a=\"x\\", "5;a=\"x\\\"", "5;a=\"x\"y", "5;a=\"\u{1}\"", "5;\u{1}", "5;a=\"\\\u{1}\"", "5;ä", "+5", " 5",
            "-5",
            "0_5", "5h", "xyz", "5;a\rb", "0000000000000005", "FFFFFFFFFFFFFFFFF",
        ].map { chunkLine(.refused(400), $0) } + [
            chunk("trailers", .served, "5\r\nhello\r\n0\r\nX: a\r\nY:\r\n\r\n"),
            chunk("a part of a chunk", .awaited, "5\r\nhel"),
            chunk("no end after the last chunk", .awaited, "5\r\nhello\r\n0\r\n"),
            chunk("a bare line feed after a size", .refused(400), "5\nhello\r\n0\r\n\r\n"),
            chunk("a bare line feed in an extension", .refused(400), "5;\na\r\nhello\r\n0\r\n\r\n"),
            chunk("a bare line feed after a chunk", .refused(400), "5\r\nhello\n0\r\n\r\n"),
            chunk("a bare line feed after a trailer", .refused(400), "5\r\nhello\r\n0\r\nX: a\n\r\n"),
            chunk("a bare line feed at the end", .refused(400), "5\r\nhello\r\n0\r\n\n"),
            chunk("a longer chunk than its size", .refused(400), "5\r\nhello!\r\n0\r\n\r\n"),
            chunk("a shorter chunk than its size", .refused(400), "6\r\nhello\r\n0\r\n\r\n"),
            chunk("a trailer without a colon", .refused(400), "0\r\nX\r\n\r\n"),
            chunk("a trailer on two lines", .refused(400), "0\r\nX: a\r\n b\r\n\r\n"),
            chunk("a trailer with a blank before its colon", .refused(400), "0\r\nX : a\r\n\r\n"),
            chunk("long trailers", .refused(431), "0\r\n" + String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 4_000)),
            chunk("a long extension", .refused(400), "5;" + String(repeating: "a", count: 70_000) + "\r\nhello\r\n0\r\n\r\n"),
            chunk("many extensions", .refused(400), String(repeating: "1;\(String(repeating: "a", count: 1_000))\r\na\r\n", count: 80)),
            chunk("a long body in chunks", .refused(413), "fffffffffffffff\r\n"),
        ]
}
