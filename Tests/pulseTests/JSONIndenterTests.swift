import Foundation
import Testing

@testable import pulse

@Suite("JSON is laid out for reading and stays what it was")
struct JSONIndenterTests {
    @Test("Names keep their order, numbers and strings their spelling")
    func layout() {
        let text = #"{"b":1.50,"a":[1e3,"x\n\u00e9",{}, [],null,true],"":{"c":-0}}"#
        let expected = #"""
            {
              "b": 1.50,
              "a": [
                1e3,
                "x\n\u00e9",
                {},
                [],
                null,
                true
              ],
              "": {
                "c": -0
              }
            }
            """#
        #expect(JSONIndenter.indented(text) == expected)
    }

    @Test("Scalars and white space are fine too", arguments: [("1", "1"), (" \n\"a\" ", "\"a\""), ("null\n", "null"), ("[ ]", "[]")])
    func scalars(text: String, expected: String) {
        #expect(JSONIndenter.indented(text) == expected)
    }

    @Test(
        "What is no JSON is not laid out",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":}", "{\"a\" 1}", "{a:1}", "[1 2]", "01", "1.", ".5", "-", "1e", "tru", "nulls", "\"a",
            "\"\\x\"",
            "\"\\u12g4\"", "\"\n\"", "[1]]", "{\"a\":1]", "{} {}", "<html>", "{,}", "[,1]", "{\"a\":1,}", "+1", "'a'",
        ]
    )
    func refuses(text: String) {
        #expect(JSONIndenter.indented(text) == nil)
    }

    @Test("Depth is no danger")
    func depth() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONIndenter.indented(deep)?.count ?? 0 > 200_000)
    }

    @Test("It agrees with Foundation about what JSON is, on damaged texts", arguments: 1...20)
    func damaged(seed: Int) throws {
        let original = Array(
            #"{"quotes":[{"symbol":"ACME","price":104.25,"change":-1.5e-2},{"symbol":"ÄÖ","price":null}],"open":true}"#.utf8)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        for _ in 0..<200 {
            var bytes = original
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int(state >> 33) % bytes.count
            if state & 1 == 0 { bytes.remove(at: place) } else { bytes[place] = UInt8(truncatingIfNeeded: state >> 25) & 0x7F }
            guard let text = String(validating: bytes, as: UTF8.self) else { continue }
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            #expect((JSONIndenter.indented(text) != nil) == isJSON, "\(text)")
        }
    }
}
