import Foundation
import LoopbackServer

@testable import NetNodes

extension FaultRow {
    private static let url = "http://HOST/a?key=***"
    private static let invalid = "The response of \(url) is not valid HTTP"

    /// An answer that is no proper HTTP, or leads nowhere.
    static let malformed: [FaultRow] = [
        FaultRow(
            "no status line", raw: "garbage\r\n\r\n", "TransportError.malformedResponse",
            "\(invalid): it does not begin with a status line."),
        FaultRow(
            "a status line of an unknown version", raw: "HTTP/1.1 abc\r\n\r\n", "TransportError.malformedResponse",
            "\(invalid): it does not begin with a status line."),
        FaultRow(
            "a status line with two spaces", raw: "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n", "TransportError.malformedResponse",
            "\(invalid): it does not begin with a status line."),
        FaultRow(
            "a header line without a colon", raw: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "TransportError.malformedResponse",
            "\(invalid): a line of the header has no colon."),
        FaultRow(
            "a header that is too long", .json(text: Person.text).with(.oversizedHeader(bytes: 300_000)),
            "TransportError.malformedResponse", "\(invalid): a header is too long."),
        FaultRow(
            "a header beyond the limit", .json(text: Person.text).with(.oversizedHeader(bytes: 2000)), "TransportError.malformedResponse",
            "\(invalid): its header is longer than 1000 bytes.", { $0.maximumHeaderSize(1000) }),
        FaultRow(
            "a body beyond the limit", .json(text: Person.text), "TransportError.bodyTooLarge",
            "The response of \(url) is longer than 10 bytes.", { $0.maximumBodySize(10) }),
        FaultRow(
            "a malformed Content-Length", raw: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "TransportError.malformedResponse",
            "\(invalid): the Content-Length is not a number."),
        FaultRow(
            "two different Content-Lengths", raw: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
            "TransportError.malformedResponse", "\(invalid): the Content-Length is not a number."),
        FaultRow(
            "a malformed chunk size", .json(text: Person.text).chunked().with(.badChunkSize), "TransportError.malformedResponse",
            "\(invalid): a chunk size is not a number."),
        FaultRow(
            "a compressed body that is damaged", raw: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip",
            "TransportError.undecodableBody", "The body of \(url) cannot be decoded: it is damaged."),
        FaultRow(
            "redirects without end", .redirect(to: "/a?key=SECRET"), "TransportError.tooManyRedirects",
            "\(url) redirected more than 10 times in a row."),
        FaultRow(
            "a redirect to a scheme other than http", .redirect(to: "file:///etc/hostname"), "TransportError.invalidRedirect",
            "\(url) redirected to file:///etc/hostname, which is not an HTTP URL."),
    ]

    /// A proper answer with a body of no use.
    static let unreadable: [FaultRow] = [
        FaultRow(
            "a body that is not JSON", .text("<html>"), "JSON.SyntaxError",
            "Not valid JSON at line 1, column 1: unexpected character, near \"<html>\"."),
        FaultRow(
            "JSON truncated by its Content-Length", .json(text: Person.text).with(.contentLength(8)), "JSON.SyntaxError",
            "Not valid JSON at line 1, column 9: value expected, near \"{\"name\":\"."),
        FaultRow(
            "JSON with invalid UTF-8", .data(Data("{\"name\":\"".utf8) + [0xC3, 0x28] + Data("\"}".utf8)), "JSON.SyntaxError",
            "Not valid JSON at line 1, column 10: invalid UTF-8 in a string, near \"{\"name\":\"\u{FFFD}(\"}\"."),
        FaultRow(
            "JSON that does not match the model", .json(text: "{\"name\":7}"), "JSON.ModelFailure.undecodable",
            "The response does not match Person at name: expected String."),
        FaultRow(
            "a missing member", .json(text: "{}"), "JSON.ModelFailure.undecodable",
            "The response does not match Person at top level: \"name\" is missing."),
        FaultRow(
            "an empty 200 where a body is required", .text(""), "JSON.ModelFailure.undecodable",
            "The response does not match Person at top level: the response is empty."),
        FaultRow(
            "204 where a body is required", .empty(204), "JSON.ModelFailure.undecodable",
            "The response does not match Person at top level: the response is empty."),
        FaultRow(
            "an unsolicited 304", .empty(304), "JSON.ModelFailure.undecodable",
            "The response does not match Person at top level: the response is empty."),
        FaultRow(
            "another content type where events are expected", "ServerSentEvent.Failure.notAnEventStream",
            "\(url) does not send events but has the content type application/json."
        ) { server, chain in
            server.add(.get("/a") { _ in .json(text: Person.text) })
            return chain.route(.get, "\(server.baseURL)/a?key=SECRET").events().stream().map { _ in () }
        },
    ]

    /// A status that tells of a failure.
    static let refusals: [FaultRow] = [
        status(400, "badRequest", "bad request"), status(401, "unauthorized", "unauthorized"),
        status(403, "forbidden", "forbidden"), status(404, "notFound", "not found"), status(405, "client", "method not allowed"),
        status(408, "client", "request timeout", again: true), status(409, "client", "conflict"), status(410, "client", "gone"),
        status(413, "client", "too much content"), status(418, "client", "client error"),
        status(422, "client", "the content cannot be processed"), status(429, "client", "too many requests", again: true),
        status(499, "client", "client error"), status(500, "internalServerError", "internal server error"),
        status(501, "server", "server error"), status(502, "server", "bad gateway", again: true),
        status(503, "server", "service unavailable", again: true), status(504, "server", "gateway timeout", again: true),
        status(599, "server", "server error"),
        FaultRow(
            "an unsuccessful status with a text body", .text("The key is too old.\u{1B}[31m\n", status: 404), "HTTPError.notFound",
            "\(url) responded with 404 (not found), with the body \"The key is too old.\\u{1B}[31m\"."),
    ]

    private static func status(_ status: Int, _ name: String, _ meaning: String, again: Bool = false) -> FaultRow {
        let challenged = status == 401 ? LoopbackServer.Response.empty(401).header("WWW-Authenticate", "Basic realm=\"x\"") : .empty(status)
        return FaultRow("status \(status)", challenged, "HTTPError.\(name)", "\(url) responded with \(status) (\(meaning)).", again: again)
    }
}
