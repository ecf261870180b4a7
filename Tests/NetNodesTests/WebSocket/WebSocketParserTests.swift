import Foundation
import StreamsTesting
import TestSupport
import Testing
import WebSocketFrames

@Suite("The frames of WebSockets", .onOneThread)
struct WebSocketParserTests {
    /// The examples of [RFC 6455, 5.7](https://www.rfc-editor.org/rfc/rfc6455#section-5.7).
    private enum Example {
        static let hello = Array("Hello".utf8)
        static let unmasked: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        static let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        static let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        static let ping: [UInt8] = [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        static let maskedPong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        static let key = withUnsafeBytes(of: (0x37, 0xFA, 0x21, 0x3D) as (UInt8, UInt8, UInt8, UInt8)) { $0.load(as: UInt32.self) }
    }

    @Test func `The examples of the RFC are parsed`() {
        let hello = WebSocketEvent.message(.text("Hello"))
        #expect(parse(Example.unmasked) == Parsed([hello]))
        #expect(parse(Example.masked, isServer: true) == Parsed([hello]))
        #expect(parse(Example.fragments) == Parsed([hello]))
        #expect(parse(Example.ping) == Parsed([.ping(Example.hello)]))
        #expect(parse(Example.maskedPong, isServer: true) == Parsed([.pong(Example.hello)]))
        let medium = [UInt8](repeating: 7, count: 256)
        #expect(parse([0x82, 0x7E, 0x01, 0x00] + medium) == Parsed([.message(.binary(Data(medium)))]))
        let large = [UInt8](repeating: 8, count: 65_536)
        #expect(parse([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large) == Parsed([.message(.binary(Data(large)))]))
    }

    @Test func `The examples of the RFC are written`() {
        #expect(WebSocketFrame.bytes(.text("Hello")) == Example.unmasked)
        #expect(WebSocketFrame.bytes(.text("Hello"), mask: Example.key) == Example.masked)
        #expect(
            WebSocketFrame.bytes(.text, "Hel".utf8, isFinal: false) + WebSocketFrame.bytes(.continuation, "lo".utf8) == Example.fragments)
        #expect(WebSocketFrame.bytes(.ping, "Hello".utf8) == Example.ping)
        #expect(WebSocketFrame.bytes(.pong, "Hello".utf8, mask: Example.key) == Example.maskedPong)
        #expect(WebSocketFrame.bytes(.binary(Data(count: 256))).prefix(4) == [0x82, 0x7E, 0x01, 0x00])
        #expect(WebSocketFrame.bytes(.binary(Data(count: 65_536))).prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
        #expect(WebSocketKey.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [false, true]) func `The same bytes are parsed equally however they are split`(isServer: Bool) {
        for bytes in [conversation(isServer), Array(conversation(isServer).dropLast(9)), conversation(!isServer)] {
            let whole = parse(bytes, isServer: isServer)
            for position in 0...bytes.count {
                #expect(parse([Array(bytes[..<position]), Array(bytes[position...])], isServer: isServer) == whole, "split at \(position)")
            }
            #expect(parse(bytes.map { [$0] }, isServer: isServer) == whole)
        }
        let events = parse(conversation(isServer), isServer: isServer)
        #expect(events.violation == nil)
        #expect(events.events.count == 8)
        #expect(events.events.last == .close(.goingAway, reason: "bye €"))
    }

    /// Every kind of frame: an empty text, fragments of a character with control frames between them, all sizes of the length, a close, and
    /// something behind it.
    private func conversation(_ isMasked: Bool) -> [UInt8] {
        let mask: UInt32? = isMasked ? 0xA1B2_C3D4 : nil
        let euro = Array("€".utf8)
        var bytes = WebSocketFrame.bytes(.text(""), mask: mask)
        bytes += WebSocketFrame.bytes(.text, euro[..<1], isFinal: false, mask: mask)
        bytes += WebSocketFrame.bytes(.ping, [1, 2], mask: mask)
        bytes += WebSocketFrame.bytes(.continuation, [], isFinal: false, mask: mask)
        bytes += WebSocketFrame.bytes(.pong, [], mask: mask)
        bytes += WebSocketFrame.bytes(.continuation, euro[1...], mask: mask)
        bytes += WebSocketFrame.bytes(.binary(Data(1...200)), mask: mask)
        bytes += WebSocketFrame.bytes(.text(String(repeating: "é", count: 90)), mask: mask)
        bytes += WebSocketFrame.bytes(.ping, [], mask: mask)
        bytes += WebSocketFrame.close(.goingAway, reason: "bye €", mask: mask)
        return bytes + WebSocketFrame.bytes(.text("late"), mask: mask)
    }

    @Test func `Masking is that of the RFC at every length and offset`() {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        for length in 0...40 {
            for offset in 0...9 {
                var bytes = (0..<length).map { UInt8($0) }
                bytes.withUnsafeMutableBytes { WebSocketFrame.applyMask(Example.key, to: $0, offset: offset) }
                #expect(bytes == (0..<length).map { UInt8($0) ^ key[(offset + $0) % 4] })
            }
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let what: String
        let bytes: [UInt8]
        var isServer = false
        var code = WebSocketMessage.CloseCode.protocolError

        var testDescription: String { what }
    }

    static let refused: [Refused] = [
        Refused(what: "a reserved bit", bytes: [0xC1, 0]), Refused(what: "another reserved bit", bytes: [0x91, 0]),
        Refused(what: "an unknown opcode", bytes: [0x83, 0]), Refused(what: "an unknown control opcode", bytes: [0x8B, 0]),
        Refused(what: "a masked frame of a server", bytes: Example.masked),
        Refused(what: "an unmasked frame of a client", bytes: Example.unmasked, isServer: true),
        Refused(what: "a fragmented ping", bytes: [0x09, 0]), Refused(what: "a long ping", bytes: [0x89, 126, 0, 126]),
        Refused(what: "a continuation of nothing", bytes: [0x80, 0]), Refused(what: "a message in a message", bytes: [0x01, 0, 0x81, 0]),
        Refused(what: "a short length in two bytes", bytes: [0x82, 126, 0, 125]),
        Refused(what: "a short length in eight bytes", bytes: [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
        Refused(what: "a negative length", bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        Refused(what: "half a close code", bytes: [0x88, 1, 3]), Refused(what: "close code 1005", bytes: [0x88, 2, 3, 0xED]),
        Refused(what: "close code 0", bytes: [0x88, 2, 0, 0]), Refused(what: "close code 5000", bytes: [0x88, 2, 0x13, 0x88]),
        Refused(what: "a reason that is no UTF-8", bytes: [0x88, 3, 3, 0xE8, 0xFF], code: .invalidPayload),
        Refused(what: "a text that is no UTF-8", bytes: [0x81, 1, 0xFF], code: .invalidPayload),
        Refused(what: "half a character", bytes: [0x81, 2, 0xE2, 0x82], code: .invalidPayload),
        Refused(what: "a surrogate over fragments", bytes: [0x01, 1, 0xED, 0x80, 2, 0xA0, 0x80], code: .invalidPayload),
        Refused(what: "a huge length", bytes: [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], code: .messageTooLarge),
        Refused(what: "one byte too many", bytes: [0x82, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xA1], code: .messageTooLarge),
        Refused(
            what: "endless empty fragments", bytes: [0x01, 0] + Array(repeating: [0, 0], count: 50_001).joined(), code: .messageTooLarge),
    ]

    @Test(arguments: refused) func `What the RFC forbids is a violation with its code`(_ refused: Refused) {
        let parsed = parse(refused.bytes, isServer: refused.isServer)
        #expect(parsed.violation?.code == refused.code, "\(parsed.violation?.reason ?? "accepted")")
        #expect(parsed.events.isEmpty)
        #expect(parse([refused.bytes, Example.unmasked], isServer: refused.isServer) == parsed)
    }

    @Test func `A frame that announces much and sends little costs little memory`() {
        var parser = WebSocketParser(isServer: false, maximumMessageSize: .max)
        var events: [WebSocketEvent] = []
        let header: [UInt8] = [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]
        #expect(header.withUnsafeBytes { parser.parse($0, into: &events) } == nil)
        #expect(events.isEmpty)
    }

    @Test func `A close reason is shortened to whole characters that fit, and a code that must not be sent is left out`() {
        #expect(WebSocketFrame.close(.noCode) == [0x88, 0])
        #expect(WebSocketFrame.close(WebSocketMessage.CloseCode(rawValue: 2_000), reason: "x") == [0x88, 0])
        let frame = WebSocketFrame.close(.normal, reason: String(repeating: "€", count: 100))
        #expect(frame.count == 2 + 2 + 123)
        #expect(parse(frame) == Parsed([.close(.normal, reason: String(repeating: "€", count: 41))]))
    }

    @Test func `Random bytes, and those that a fuzzer found, are parsed equally in one piece and byte by byte`() throws {
        var random = SeededGenerator(seed: 6455)
        let generated = (0..<2_000).map { _ -> [UInt8] in
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : [0x81, 0x01, 0x80, 0x00, 0x88, 0x89].randomElement(using: &random) ?? 0
            }
        }
        for bytes in try generated + FuzzCorpus.webSocketFrames.inputs() {
            for isServer in [false, true] {
                #expect(parse(bytes.map { [$0] }, isServer: isServer) == parse(bytes, isServer: isServer))
            }
        }
    }

    private struct Parsed: Equatable {
        var events: [WebSocketEvent] = []
        var violation: WebSocketViolation?

        init(_ events: [WebSocketEvent] = []) {
            self.events = events
        }
    }

    private func parse(_ bytes: [UInt8], isServer: Bool = false) -> Parsed {
        parse([bytes], isServer: isServer)
    }

    private func parse(_ pieces: [[UInt8]], isServer: Bool = false) -> Parsed {
        var parser = WebSocketParser(isServer: isServer, maximumMessageSize: 100_000)
        var parsed = Parsed()
        for piece in pieces { parsed.violation = piece.withUnsafeBytes { parser.parse($0, into: &parsed.events) } }
        return parsed
    }
}
