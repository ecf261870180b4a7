import Foundation
import StreamsTesting
import Testing

@testable import NATSNodes

@Suite("Encoding what a NATS client sends", .onOneThread)
struct CommandBufferTests {
    private func text(_ build: (inout CommandBuffer) throws -> Void) rethrows -> String {
        var buffer = CommandBuffer()
        try build(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func `A message is published with its size`() {
        #expect(text { $0.publish("a.b", reply: nil, headers: nil, payload: Data("hi".utf8)) } == "PUB a.b 2\r\nhi\r\n")
        #expect(text { $0.publish("a", reply: nil, headers: nil, payload: Data()) } == "PUB a 0\r\n\r\n")
        let long = Data(repeating: 0x78, count: 1_024)
        #expect(text { $0.publish("a", reply: "r.1", headers: nil, payload: long) }.hasPrefix("PUB a r.1 1024\r\nxxx"))
    }

    @Test func `Headers are counted separately and in the whole`() throws {
        let headers = try (["Nats-Msg-Id": "7"] as NATSHeaders).encoded()
        let expected = "HPUB a r 28 30\r\nNATS/1.0\r\nNats-Msg-Id: 7\r\n\r\nhi\r\n"
        #expect(text { $0.publish("a", reply: "r", headers: headers, payload: Data("hi".utf8)) } == expected)
    }

    @Test func `Subscriptions have a number, and a queue group if they share the work`() {
        #expect(text { $0.subscribe("a.>", queue: nil, id: 12) } == "SUB a.> 12\r\n")
        #expect(text { $0.subscribe("a", queue: "workers", id: 3) } == "SUB a workers 3\r\n")
        #expect(text { $0.unsubscribe(105) } == "UNSUB 105\r\n")
    }

    @Test(arguments: ["a\r\nb", "a\n", "\r"]) func `Headers that would end their line are refused`(_ value: String) {
        var headers = NATSHeaders()
        headers["X"] = value
        #expect(throws: NATSError.invalidHeader(name: "X", reason: "its value has a line break")) { try headers.encoded() }
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "é"]) func `Names of headers that are none are refused`(_ name: String) {
        var headers = NATSHeaders()
        headers[name] = "x"
        #expect(throws: NATSError.self) { try headers.encoded() }
    }

    @Test func `What a client says of itself has no credentials that it does not need`() throws {
        let request = ConnectRequest(name: "tests", isSecure: false)
        let encoded = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(request))
        #expect(encoded["name"] == .text("tests"))
        #expect(encoded["protocol"] == .number(1))
        #expect(encoded["no_responders"] == .flag(true))
        #expect(Set(encoded.keys).isDisjoint(with: ["user", "pass", "auth_token", "jwt", "nkey", "sig"]))
    }
}

private enum JSONValue: Decodable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}
