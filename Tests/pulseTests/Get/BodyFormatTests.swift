import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("JSON of moderate size is pretty-printed, anything else is printed as received", .countsResources)
struct BodyFormatTests {
    private func printed(_ pieces: [Data], isTerminal: Bool, isWhole: Bool = true) -> String {
        var format = BodyFormat(BodyStyle(isSanitized: isTerminal, isPretty: true))
        var result: [UInt8] = []
        for piece in pieces { result += format.feed(piece) }
        return String(decoding: result + format.finish(isWhole: isWhole), as: UTF8.self)
    }

    private func printed(_ text: String, isTerminal: Bool = false) -> String {
        printed([Data(text.utf8)], isTerminal: isTerminal)
    }

    @Test(
        arguments: [
            ("{\"a\":[1,{\"b\":\"]}\\\"\"}]}", "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"]}\\\"\"\n    }\n  ]\n}\n"),
            (" [ ] \n", "[]\n"), ("-1.50e+3", "-1.50e+3\n"), ("true", "true\n"), ("null \r\n", "null\n"), ("\"a b\"", "\"a b\"\n"),
            ("\u{FEFF}[1]", "[\n  1\n]\n"),
            // A name that occurs twice, numbers and texts are those of the server.
            (#"{"a":1,"b":{ },"a":2}"#, "{\n  \"a\": 1,\n  \"b\": {},\n  \"a\": 2\n}\n"),
            (#"[1e999,0.10,[],"\u00e9\/é\n"]"#, "[\n  1e999,\n  0.10,\n  [],\n  \"é/é\\n\"\n]\n"),
        ])
    func `What is one JSON value is laid out`(body: String, text: String) {
        for place in 0...body.utf8.count {
            let pieces = [Data(body.utf8.prefix(place)), Data(body.utf8.dropFirst(place))]
            #expect(printed(pieces, isTerminal: false) == text)
            #expect(printed(pieces, isTerminal: true) == text)
        }
    }

    @Test(
        arguments: [
            "", "plain {text}", "{\"a\":1}\n{\"a\":2}\n", "[INFO] started", "2026-11-22 12:00 up", "true story", "{]", "[1,]", "}", ",",
            "{\"a",
            "\"a\nb\"", "1 2", "[1][2]", "nul", "é", "\u{FEFF}x",
        ])
    func `What is none is passed on, wherever it is cut`(body: String) {
        for place in 0...body.utf8.count {
            let pieces = [Data(body.utf8.prefix(place)), Data(body.utf8.dropFirst(place))]
            #expect(printed(pieces, isTerminal: false) == body)
            #expect(printed(pieces, isTerminal: true) == (body.isEmpty || body.hasSuffix("\n") ? body : body + "\n"))
        }
    }

    @Test func `Text is printed as received, as soon as it is known not to be JSON`() {
        for text in ["plain", "2026:", "{\"a\":1}\n{", "[I", "x"] {
            var format = BodyFormat(BodyStyle(isSanitized: true, isPretty: true))
            #expect(format.feed(Data(text.utf8)) == Array(text.utf8))
            #expect(format.feed(Data("[1]".utf8)) == Array("[1]".utf8))
        }
    }

    @Test func `JSON that would be too large when pretty-printed is printed as received`() {
        let fitting = "[" + String(repeating: "0,", count: 1000) + "0" + String(repeating: " ", count: JSONOutline.largestBody - 2003) + "]"
        #expect(fitting.utf8.count == JSONOutline.largestBody)
        #expect(printed(fitting) == "[\n" + String(repeating: "  0,\n", count: 1000) + "  0\n]\n")
        #expect(printed(fitting + " ") == printed(fitting))
        let deep = String(repeating: "[", count: 450) + String(repeating: "0,", count: 20_000) + "0" + String(repeating: "]", count: 450)
        #expect(printed(deep) == deep)
        var outline = JSONOutline()
        outline.feed(Data(count: JSONOutline.largestBody + 1))
        #expect(!outline.isPossible)
    }

    @Test func `Binary data is not printed on a terminal`() {
        let note = "of binary data. Redirect them to a file: pulse get URL > FILE"
        #expect(printed([Data([0x89, 0x50, 0xFF]), Data([0x41])], isTerminal: true) == "4 bytes \(note)\n")
        #expect(printed([Data("ab".utf8), Data([0xFF]), Data([0x41])], isTerminal: true) == "ab\n(2 more bytes \(note))\n")
        var format = BodyFormat(.raw)
        #expect(format.feed(Data([0x89, 0xFF])) == [0x89, 0xFF])
    }

    @Test func `Bytes received before a connection was lost are printed`() {
        #expect(printed([Data("[1,2]".utf8)], isTerminal: false, isWhole: false) == "[1,2]")
    }
}
