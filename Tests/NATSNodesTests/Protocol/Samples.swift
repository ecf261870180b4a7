import Foundation

@testable import NATSNodes

/// Operations of servers, well-formed and not.
enum Samples {
    static let info = #"INFO {"server_id":"NA","version":"2.9.10","headers":true,"max_payload":1048576,"jetstream":true}"# + "\r\n"

    static let wellFormed: [[UInt8]] = [
        info,
        "PING\r\n", "ping\r\n", "PONG\r\n", "+OK\r\n", "-ERR 'Unknown Protocol Operation'\r\n",
        "MSG a 1 0\r\n\r\n",
        "MSG quotes.acme 9 5\r\nhello\r\n",
        "MSG quotes.acme 9 _INBOX.x 5\r\nhel\r\n\r\n",
        "MSG\tquotes.acme\t9  _INBOX.x 2\r\n\r\n\r\n",
        "msg a 999999999999999999 2\r\nMS\r\n",
        "HMSG a 1 12 12\r\nNATS/1.0\r\n\r\n\r\n",
        "HMSG a 1 back 23 25\r\nNATS/1.0\r\nA: b\r\nA:c\r\n\r\n\r\n\r\n",
        "HMSG a 1 30 30\r\nNATS/1.0 503 No Responders\r\n\r\n\r\n",
        info + "PING\r\nMSG a 1 3\r\nabc\r\nMSG a 1 3\r\ndef\r\nMSG b 2 0\r\n\r\nPONG\r\n+OK\r\n",
    ].map { Array($0.utf8) }

    struct Refused: Sendable {
        let text: String
        let error: NATSError.ProtocolViolation
    }

    static let refused: [Refused] = [
        Refused(text: "HELLO\r\n", error: .unknownOperation("HELLO")),
        Refused(text: "\r\n", error: .unknownOperation("")),
        Refused(text: "GET / HTTP/1.1\r\n", error: .unknownOperation("GET / HTTP/1.1")),
        Refused(text: "PINGPONG\r\n", error: .unknownOperation("PINGPONG")),
        Refused(text: "PING x\r\n", error: .unknownOperation("PING x")),
        Refused(text: "\u{1B}[2J\r\n", error: .unknownOperation("\u{FFFD}[2J")),
        Refused(text: "MSG\r\n", error: .malformedLine("MSG")),
        Refused(text: "MSG a 1\r\n", error: .malformedLine("MSG a 1")),
        Refused(text: "MSG a b 1\r\n", error: .malformedLine("MSG a b 1")),
        Refused(text: "MSG a 1 -1\r\n", error: .malformedLine("MSG a 1 -1")),
        Refused(text: "MSG a 1 b c 1\r\n", error: .malformedLine("MSG a 1 b c 1")),
        Refused(text: "MSG a 1 9999999999999999999\r\n", error: .malformedLine("MSG a 1 9999999999999999999")),
        Refused(text: "MSG a 1 999999999999999999\r\n", error: .messageTooLong(announced: 999_999_999_999_999_999, limit: 1_000)),
        Refused(text: "MSG a 1 1001\r\n", error: .messageTooLong(announced: 1_001, limit: 1_000)),
        Refused(text: "MSG a 1 2\r\nabc\r\n", error: .wrongPayloadLength(announced: 2)),
        Refused(text: "MSG a 1 4\r\nabc\r\n\r\n", error: .wrongPayloadLength(announced: 4)),
        Refused(text: "HMSG a 1 5 4\r\nabcd\r\n", error: .malformedLine("HMSG a 1 5 4")),
        Refused(text: "INFO {\r\n", error: .malformedInfo(reason: "it does not have the protocol's form")),
        Refused(text: "INFO {\"max_payload\":-1}\r\n", error: .malformedInfo(reason: "the maximum payload is -1")),
        Refused(text: "INFO {\"max_payload\":\"\"}\r\n", error: .malformedInfo(reason: "it does not have the protocol's form")),
        Refused(text: String(repeating: "x", count: 300), error: .lineTooLong(limit: 200)),
        Refused(text: "MSG " + String(repeating: "x", count: 300) + " 1 0\r\n", error: .lineTooLong(limit: 200)),
    ]

    static let limits = OperationParser.Limits(line: 200, message: 1_000)
}

/// The result of a parser for some bytes.
struct Parsed: Equatable {
    var operations: [ServerOperation] = []
    var error: NATSError.ProtocolViolation?

    /// Parses pieces one after the other, until one fails.
    init(_ pieces: [[UInt8]], limits: OperationParser.Limits = Samples.limits) {
        var parser = OperationParser(limits: limits)
        var operations: [ServerOperation] = []
        for piece in pieces where error == nil {
            do throws(NATSError.ProtocolViolation) { try parser.consume(Data(piece)) { operations.append($0) } } catch {
                self.error = error
            }
        }
        self.operations = operations
    }

    init(_ text: String) {
        self.init([Array(text.utf8)])
    }
}
