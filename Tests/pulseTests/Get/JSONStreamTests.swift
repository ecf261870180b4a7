import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("JSON that is too large to be collected is laid out while it is received", .countsResources)
struct JSONStreamTests {
    private func streamed(_ pieces: some Sequence<Data>) -> String {
        var stream = JSONStream()
        var result: [UInt8] = []
        for piece in pieces { result += stream.feed(piece) }
        return String(decoding: result + stream.finish(), as: UTF8.self)
    }

    @Test(
        arguments: [
            #"{"a":[1,{"b":"]}\""}],"c":{},"d":[ ],"e":-1.5e+3,"f":[[],{}]}"#, "[]", " [ ] \n", "\"a\"", #"["é\n\u00e9\/","",true,null]"#,
            #"{"a":1,"a":{"b" : [ ] },"":""}"#, "[[[1]]]", "12", #"["\\","\\\""]"#,
        ])
    func `The layout is that of a small body, wherever it is cut`(body: String) {
        let bytes = Data(body.utf8)
        let whole = JSONLayout.text(of: bytes).map { String(decoding: $0, as: UTF8.self) }
        for place in 0...bytes.count {
            #expect(streamed([bytes.prefix(place), Data(bytes.dropFirst(place))]) == whole)
        }
        #expect(streamed(bytes.map { Data([$0]) }) == whole)
    }

    @Test(
        arguments: [
            ("[1}x [", "[\n  1}x ["), ("[1]]  y", "[\n  1\n]]  y"), ("[#  1", "[\n  #  1"), ("<a> b", "<a> b"), ("[1  2]", "[\n  1 2]"),
            ("[1]\n[2 ]", "[\n  1\n]\n[2 ]"), ("[\"a\" b  c", "[\n  \"a\" b  c"),
        ])
    func `What follows a fault is passed on as it is`(body: String, text: String) {
        #expect(streamed([Data(body.utf8)]) == text)
    }

    @Test func `A long string keeps its escapes, and deep lines are indented no further`() {
        let long = "\"" + String(repeating: "\\u00e9", count: JSONStream.longestString) + "\""
        #expect(streamed([Data("[\(long)]".utf8)]) == "[\n  \(long)\n]\n")
        let depth = 2000
        let deep = streamed([Data(repeating: UInt8(ascii: "["), count: depth)])
        #expect(deep.utf8.count < depth * (2 + 2 * JSONStream.deepest))
    }

    @Test func `A body beyond one megabyte is laid out, and not held back`() {
        let element = #"{"name":"é\n","n":[1,2]}"#
        let count = 2 * JSONOutline.largestBody / element.utf8.count
        let body = Data("[\(Array(repeating: element, count: count).joined(separator: ","))]".utf8)
        for isTerminal in [false, true] {
            var format = BodyFormat(BodyStyle(isSanitized: isTerminal, isPretty: true))
            var (result, waiting, most) = ([UInt8](), 0, 0)
            for start in stride(from: 0, to: body.count, by: 16_384) {
                let piece = body[start..<min(body.count, start + 16_384)]
                let text = format.feed(Data(piece))
                waiting = text.isEmpty ? waiting + piece.count : 0
                most = max(most, waiting)
                result += text
            }
            result += format.finish(isWhole: true)
            #expect(result == JSONLayout.text(of: body))
            #expect(most <= JSONOutline.largestBody)
        }
    }

    @Test func `A large body that turns out to be something else ends as it is`() {
        let start = "[" + String(repeating: "0,", count: JSONOutline.largestBody)
        var format = BodyFormat(BodyStyle(isSanitized: false, isPretty: true))
        let result = format.feed(Data(start.utf8)) + format.feed(Data("] } x\ny".utf8)) + format.finish(isWhole: true)
        #expect(String(decoding: result.suffix(7), as: UTF8.self) == "\n]} x\ny")
    }
}
