import Testing

/// A response as bytes up to the end of the connection, and how every client of the package reads it.
public struct ResponseSample: Sendable, CustomTestStringConvertible {
    public enum Reading: Sendable, Equatable {
        /// It is read, with this body.
        case body(String)
        /// It is refused, for this reason.
        case refused(String)
        /// The connection was closed too early.
        case incomplete
    }

    /// The answer of libcurl, which accepts more than RFC 9112 allows.
    public enum Libcurl: Sendable, Equatable {
        /// It reads or refuses it too; it has reasons of its own.
        case alike
        /// It reads it, with this body.
        case reads(String)
    }

    public let name: String
    public let text: String
    /// The reading of the simulator and of the handshake of WebSockets; of a handshake the body does not count.
    public let reading: Reading
    public let libcurl: Libcurl

    public var testDescription: String { name }

    public static let all = heads + chunks
    /// Those that differ in their heads.
    public static let heads = lines + fields + framings

    private init(_ name: String, _ text: String, _ reading: Reading, libcurl: Libcurl = .alike) {
        (self.name, self.text, self.reading, self.libcurl) = (name, text, reading, libcurl)
    }

    private static let noStatusLine = Reading.refused("it does not begin with a status line")
    private static let noLength = Reading.refused("the Content-Length is not a number")
    private static let noSize = Reading.refused("a chunk size is not a number")
    private static let noToken = Reading.refused("a header name is not a token")
    private static let noText = Reading.refused("a header value has a control character")
    private static let noCoding = Reading.refused("its transfer coding is not \"chunked\"")
    private static let noExtension = Reading.refused("a chunk size is followed by something else")

    private static func line(_ name: String, _ line: String, _ reading: Reading, libcurl: Libcurl = .alike) -> ResponseSample {
        ResponseSample(name, line + "\r\nContent-Length: 2\r\n\r\nok", reading, libcurl: libcurl)
    }

    private static func field(_ name: String, _ field: String, _ reading: Reading = .body("ok"), libcurl: Libcurl = .alike)
        -> ResponseSample
    {
        ResponseSample(name, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(field)\r\n\r\nok", reading, libcurl: libcurl)
    }

    private static func length(_ name: String, _ field: String, _ reading: Reading, libcurl: Libcurl = .alike) -> ResponseSample {
        ResponseSample(name, "HTTP/1.1 200 OK\r\n\(field)\r\n\r\nok", reading, libcurl: libcurl)
    }

    private static func chunk(_ name: String, _ body: String, _ reading: Reading, libcurl: Libcurl = .alike) -> ResponseSample {
        ResponseSample(name, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)", reading, libcurl: libcurl)
    }

    private static let lines = [
        line("a plain response", "HTTP/1.1 200 OK", .body("ok")),
        line("an empty reason", "HTTP/1.1 200 ", .body("ok")),
        line("no reason", "HTTP/1.1 200", .body("ok")),
        line("an older version", "HTTP/1.0 200 OK", .body("ok")),
        line("a status that nobody knows", "HTTP/1.1 299 Fine", .body("ok")),
        line("interim responses", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK", .body("ok")),
        line("two blanks before the status", "HTTP/1.1  200 OK", noStatusLine),
        line("a status of two digits", "HTTP/1.1 20 OK", noStatusLine),
        line("a status of four digits", "HTTP/1.1 2000 OK", noStatusLine),
        line("a status below 100", "HTTP/1.1 099 OK", noStatusLine),
        line("no status", "HTTP/1.1 OK", noStatusLine),
        line("a version in small letters", "http/1.1 200 OK", noStatusLine),
        line("a later minor version", "HTTP/1.2 200 OK", noStatusLine),
        line("another protocol", "ICY 200 OK", noStatusLine),
        line(
            "a control character in the reason", "HTTP/1.1 200 O\u{7}K", .refused("its reason has a control character"),
            libcurl: .reads("ok")),
        line("an empty line before the status line", "\r\nHTTP/1.1 200 OK", noStatusLine),
        line("bytes of something else", "garbage", noStatusLine),
    ]

    private static let fields = [
        field("bare line feeds", "X: a\nY: b"),
        field("a value on two lines", "X: a\r\n b"),
        field("a value in UTF-8", "X: ä"),
        field("an empty value", "X:"),
        field("no colon", "X", .refused("a line of the header has no colon")),
        field("an empty name", ": a", noToken, libcurl: .reads("ok")),
        field("a blank before the colon", "X : a", noToken, libcurl: .reads("ok")),
        field("a blank within a name", "X Y: a", noToken, libcurl: .reads("ok")),
        field("a name beyond ASCII", "Ä: a", noToken, libcurl: .reads("ok")),
        field("a control character in a value", "X: \u{7}", noText, libcurl: .reads("ok")),
        field("a carriage return in a value", "X: a\rb", noText, libcurl: .reads("ok")),
        field("a NUL in a value", "X: a\u{0}b", noText),
        ResponseSample(
            "a blank before the first field", "HTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok",
            .refused("a header line begins with a blank")),
        field("a long header", "X: " + String(repeating: "x", count: 300_000), .refused("its header is longer than 262144 bytes")),
    ]

    private static let framings = [
        length("no length", "X: a", .body("ok")),
        length("a length twice", "Content-Length: 2\r\ncontent-length: 02", .body("ok")),
        length("a length that is not reached", "Content-Length: 3", .incomplete),
        length("two lengths", "Content-Length: 2\r\nContent-Length: 3", noLength),
        length("a list of equal lengths", "Content-Length: 2, 2", noLength),
        length("a negative length", "Content-Length: -2", noLength),
        length("a length with a plus sign", "Content-Length: +2", noLength),
        length("a hexadecimal length", "Content-Length: 0x2", noLength),
        length("an empty length", "Content-Length:", noLength),
        length("a length beyond all numbers", "Content-Length: 99999999999999999999999", noLength),
        length("compression of chunks", "Transfer-Encoding: gzip, chunked", noCoding),
        length("another coding", "Transfer-Encoding: xchunked", noCoding),
        length("chunks of chunks", "Transfer-Encoding: chunked, chunked", noCoding),
        length("identity", "Transfer-Encoding: identity", noCoding, libcurl: .reads("ok")),
        length("an empty coding", "Transfer-Encoding:", noCoding, libcurl: .reads("ok")),
        ResponseSample(
            "a length beside chunks", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            .body("ok")),
        ResponseSample("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .body("ok")),
        ResponseSample("no content", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n", .body("")),
        ResponseSample("not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", .body("")),
    ]

    private static let chunks = [
        chunk("chunks", "2\r\nok\r\n0\r\n\r\n", .body("ok")),
        chunk("an extension", "2;a=\"b\"\r\nok\r\n0\r\n\r\n", .body("ok")),
        chunk("trailers", "2\r\nok\r\n0\r\nX: a\r\n\r\n", .body("ok")),
        chunk("bare line feeds in chunks", "2\nok\r\n0\r\n\r\n", .body("ok")),
        chunk("no last chunk", "2\r\nok\r\n", .incomplete),
        chunk("a size of letters", "x\r\nok\r\n0\r\n\r\n", noSize),
        chunk("a size with a sign", "+2\r\nok\r\n0\r\n\r\n", noSize),
        chunk("a size with a prefix", "0x2\r\nok\r\n0\r\n\r\n", noExtension),
        chunk("a long size", "FFFFFFFFFFFFFFFFF\r\nok\r\n0\r\n\r\n", noSize),
        chunk("a blank after a size", "2 \r\nok\r\n0\r\n\r\n", noExtension, libcurl: .reads("ok")),
        chunk("an open quote in an extension", "2;a=\"\r\nok\r\n0\r\n\r\n", noExtension, libcurl: .reads("ok")),
        chunk("a longer chunk than its size", "2\r\noks\r\n0\r\n\r\n", .refused("a chunk does not end where its size says")),
        chunk("a trailer without a colon", "2\r\nok\r\n0\r\nX\r\n\r\n", .refused("a line of the header has no colon")),
    ]
}
