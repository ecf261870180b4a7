import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Parsing what a NATS server sends", .onOneThread)
struct OperationParserTests {
    @Test func `It is parsed equally however its bytes are split in two`() {
        for sample in Samples.wellFormed + Samples.refused.map({ Array($0.text.utf8) }) {
            let whole = Parsed([sample])
            for position in 0...sample.count {
                #expect(Parsed([Array(sample[..<position]), Array(sample[position...])]) == whole, "split at \(position)")
            }
        }
    }

    @Test func `It is parsed equally byte by byte`() {
        for sample in Samples.wellFormed + Samples.refused.map({ Array($0.text.utf8) }) {
            #expect(Parsed(sample.map { [$0] }) == Parsed([sample]))
        }
    }

    @Test func `Every well-formed sample is parsed without an error`() {
        for sample in Samples.wellFormed {
            let parsed = Parsed([sample])
            #expect(parsed.error == nil)
            #expect(!parsed.operations.isEmpty)
        }
    }

    @Test(arguments: Samples.refused) func `Malformed bytes are a typed error`(_ sample: Samples.Refused) {
        #expect(Parsed(sample.text).error == sample.error)
    }

    @Test func `A message has its subject, subscription, reply and payload`() {
        let parsed = Parsed("MSG quotes.acme 9 _INBOX.x 7\r\nhe\r\nllo\r\n")
        let expected = NATSMessage(subject: "quotes.acme", body: Data("he\r\nllo".utf8), reply: "_INBOX.x")
        #expect(parsed.operations == [.message(expected, subscription: 9)])
    }

    @Test func `Subjects of any length stay those of their messages, also when their beginnings and ends are equal`() {
        let lengths = [1, 15, 16, 17, 128, 129, 150]
        let names = (0..<400).map { number in
            let middle = String(repeating: "m", count: lengths[number % lengths.count])
            return number.isMultiple(of: 2) ? "s\(number).\(middle)" : "same.beg.\(number).\(middle).same.end"
        }
        let bytes = (names + names).map { "MSG \($0) 1 0\r\n\r\n" }.joined()
        let subjects = Parsed([Array(bytes.utf8)]).operations.map { if case .message(let message, _) = $0 { message.subject } else { "" } }
        #expect(subjects == names + names)
    }

    @Test func `Headers keep their order, their case and all values of a name`() throws {
        let block = "NATS/1.0\r\nb: 1\r\na:  2 \r\nB:\r\na: 3\r\n\r\n"
        let parsed = Parsed("HMSG s 1 \(block.utf8.count) \(block.utf8.count + 2)\r\n\(block)hi\r\n")
        guard case .message(let message, _)? = parsed.operations.first else { throw parsed.error ?? .unexpected("nothing") }
        let headers = message.headers
        #expect(headers.fields == [.init("b", "1"), .init("a", "2"), .init("B", ""), .init("a", "3")])
        #expect(headers.values("a") == ["2", "3"])
        #expect(headers["A"] == nil)
        #expect(message.body == Data("hi".utf8))
    }

    @Test func `Headers whose last one is removed are those of a message without any`() {
        var headers: NATSHeaders = ["a": "1", "b": "2"]
        for name in ["a", "b"] { headers[name] = nil }
        #expect(headers == NATSHeaders())
        #expect(headers.isEmpty && headers.fields.isEmpty)
        #expect(headers == [:])
    }

    @Test func `Headers are read byte by byte: an accent behind a colon or a blank belongs to the value`() throws {
        let block = "NATS/1.0\r\nname:\u{301}a\r\nother: \u{301}b\u{301}\r\n\r\n"
        let parsed = Parsed("HMSG s 1 \(block.utf8.count) \(block.utf8.count)\r\n\(block)\r\n")
        guard case .message(let message, _)? = parsed.operations.first else { throw parsed.error ?? .unexpected("nothing") }
        let headers = message.headers
        #expect(headers.fields.map { Array($0.value.unicodeScalars) } == [["\u{301}", "a"], ["\u{301}", "b", "\u{301}"]])
        let written = try headers.encoded()
        #expect(try written.withUnsafeBytes { try NATSHeaders(parsing: $0) } == headers)
    }

    @Test(arguments: [
        ("abcd", "they do not begin with NATS/1.0"), ("NATS/1.0\r\n", "they do not end with an empty line"),
        ("NATS/1.0 OK!\r\n\r\n", "the status is no number"), ("NATS/1.0\r\n:a\r\n\r\n", "a line has no name"),
    ])
    func `A message with malformed headers is passed on without them, and what is wrong is told`(block: String, reason: String) throws {
        let bytes = "HMSG s 1 \(block.utf8.count) \(block.utf8.count + 2)\r\n\(block)hi\r\nPING\r\n"
        var parser = OperationParser()
        var operations: [ServerOperation] = []
        try parser.consume(Data(bytes.utf8)) { operations.append($0) }
        #expect(operations == [.message(NATSMessage(subject: "s", body: Data("hi".utf8)), subscription: 1), .ping])
        #expect(parser.malformedHeaders == .malformedHeaders(reason: reason))
    }

    @Test func `A server's own answer has a status and its words`() throws {
        let parsed = Parsed("HMSG s 1 33 33\r\nNATS/1.0 408 Request Timeout \r\n\r\n\r\n")
        guard case .message(let message, _)? = parsed.operations.first else { throw parsed.error ?? .unexpected("nothing") }
        #expect(message.headers.status == 408)
        #expect(message.headers.statusText == "Request Timeout")
    }

    @Test func `Of an error only its words are taken, without control characters`() {
        #expect(Parsed("-ERR 'Authorization Violation'\r\n").operations == [.error("Authorization Violation")])
        #expect(Parsed("-ERR \u{1B}]0;x\u{7}\r\n").operations == [.error("\u{FFFD}]0;x\u{FFFD}")])
    }

    @Test func `Information about the server is read, and what it lacks has a default`() {
        let text =
            #"{"server_id":"A","version":"2","headers":true,"max_payload":9,"connect_urls":["[::1]:4","b:5"],"ldm":true,"x":[{}]}"#
        guard case .info(let info)? = Parsed("INFO \(text)\r\n").operations.first else { return #expect(Bool(false)) }
        #expect(info.serverName == "A")
        #expect(info.maximumPayload == 9)
        #expect(info.connectURLs == ["[::1]:4", "b:5"])
        #expect(info.supportsHeaders && info.isLameDuck && !info.requiresTLS && !info.hasJetStream)
    }

    @Test func `Operations before malformed bytes are still passed on`() {
        let parsed = Parsed("PING\r\nMSG a 1 1\r\nx\r\nNO\r\n")
        #expect(parsed.operations.count == 2)
        #expect(parsed.error == .unknownOperation("NO"))
    }

    @Test func `A line around the limit is accepted or refused equally however its bytes are split`() {
        for length in 190...210 {
            let line = Array("-ERR \(String(repeating: "x", count: length - 5))\r\n".utf8)
            #expect(Parsed(line.map { [$0] }) == Parsed([line]), "\(length) bytes")
            #expect((Parsed([line]).error == nil) == (length < 200))
        }
    }

    @Test func `A large message that arrives in small pieces takes time linear in its size`() {
        let payload = [UInt8](repeating: 7, count: 8 << 20)
        var parser = OperationParser()
        var sizes: [Int] = []
        func feed(_ bytes: some Sequence<UInt8>) throws {
            try parser.consume(Data(bytes)) { if case .message(let message, _) = $0 { sizes.append(message.body.count) } }
        }
        #expect(throws: Never.self) {
            try feed("MSG a 1 \(payload.count)\r\n".utf8)
            for start in stride(from: 0, to: payload.count, by: 4_096) { try feed(payload[start..<start + 4_096]) }
            try feed("\r\n".utf8)
        }
        #expect(sizes == [payload.count])
        #expect(parser.isAtBoundary)
    }

    @Test func `Random bytes and random changes of samples never crash, and split anywhere give the same`() {
        var generator = SeededNumbers(seed: 16)
        for _ in 0..<3_000 {
            var sample = Samples.wellFormed.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !sample.isEmpty {
                sample[Int.random(in: 0..<sample.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let position = Int.random(in: 0...sample.count, using: &generator)
            #expect(Parsed([Array(sample[..<position]), Array(sample[position...])]) == Parsed([sample]))
        }
    }

    @Test func `Every input that a fuzzer kept is parsed equally byte by byte`() throws {
        for input in try FuzzCorpus.natsOperations.inputs() {
            #expect(Parsed(input.map { [$0] }) == Parsed([input]))
        }
    }
}

/// The same numbers in every run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
