import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("JSON", .onOneThread, .countsResources)
struct JSONTests {
    private static let samples: [(String, JSON)] = [
        ("{\"a\": [1, 2.5, \"x\", null, true]}", ["a": [1, 2.5, "x", nil, true]]),
        (" [ ] ", .array([])), ("{}", .empty), ("null", .null), ("-0.5e3", -500.0), ("\"\\u00e9\\n\\ud83d\\ude00\"", "é\n😀"),
        ("false", false),
    ]

    @Test(arguments: samples) func `Objects, arrays and scalars are read`(text: String, expected: JSON) throws {
        #expect(try JSON(parsing: text) == expected)
    }

    @Test func `Digits are preserved`() throws {
        #expect(try JSON(parsing: "[12345678901234567890123, 1.10]").text() == "[12345678901234567890123,1.10]")
        #expect(try JSON(parsing: "1.0") == 1)
        #expect(try JSON(parsing: "9007199254740993") != 9_007_199_254_740_992)
    }

    @Test func `Numbers are equal by their value, to the last digit, and equal ones have one hash`() throws {
        let written = [
            "9007199254740992", "9007199254740993", "9007199254740992.0", "9.007199254740993e15", "0", "-0", "0.00", "0e9", "1", "1.0",
            "10e-1",
            "-1", "1e400", "10e399", "1e99999999999999999999", "0.1", "0.10000000000000001", "120", "1.2e+2", "12",
        ].map { JSON.Number(literal: $0) }
        for a in written {
            for b in written {
                #expect((a == b) == (b == a))
                if a == b { #expect(Set([a, b]).count == 1) }
                for c in written where a == b && b == c { #expect(a == c) }
            }
        }
        #expect(Set(written).count == 11)
        #expect(try JSON(parsing: "9007199254740992.0") != 9_007_199_254_740_993)
        #expect(try JSON(parsing: "1e2") == 100)
    }

    @Test(
        arguments: [
            ("{\"a\": 1,\n  \"b\" 2}", 2, 7, "colon expected after a member name"),
            ("[1, 2", 1, 6, "comma or end of array expected"),
            ("", 1, 1, "value expected"),
            ("tru", 1, 1, "unexpected character"),
            ("1 2", 1, 3, "unexpected text after the value"),
            ("\"a", 1, 3, "unterminated string"),
            ("[01]", 1, 3, "comma or end of array expected"),
            ("\"\u{1}\"", 1, 2, "unescaped control character in a string"),
            ("<html>", 1, 1, "unexpected character"),
        ])
    func `What is not JSON is told with its place`(text: String, line: Int, column: Int, reason: String) {
        let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.reason == reason)
    }

    @Test func `Bad UTF-8 and deep nesting are errors`() {
        let badText = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: Data([0x22, 0xFF, 0x22])) }
        #expect(badText?.reason == "invalid UTF-8 in a string")
        let deep = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: String(repeating: "[", count: 100_000)) }
        #expect(deep?.reason == "nested too deeply")
    }

    @Test func `No input crashes the parser`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:\\u0129eE+-.truefalsn \n\u{1}".utf8) + [0xFF, 0xC3, 0xED]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if let value = try? JSON(parsing: Data(bytes)) {
                #expect(throws: Never.self) { try JSON(parsing: value.text()) == value }
            }
        }
    }

    @Test func `Members keep their order, or are sorted on demand`() throws {
        let value = try JSON(parsing: "{\"b\":1,\"a\":{\"d\":[],\"c\":[1]}}")
        #expect(value.text() == "{\"b\":1,\"a\":{\"d\":[],\"c\":[1]}}")
        #expect(
            value.text([.pretty, .sortedKeys]) == """
                {
                  "a": {
                    "c": [
                      1
                    ],
                    "d": []
                  },
                  "b": 1
                }
                """)
        #expect(value == ["a": ["c": [1], "d": []], "b": 1])
    }

    @Test func `Control characters never reach a terminal`() {
        #expect(JSON.string("\u{1B}[2J\u{9B}x").text() == "\"\\u001b[2J\\u009bx\"")
    }

    @Test(.timeLimit(.minutes(5)))
    func `Texts and names are compared and hashed by their bytes, however many marks a letter has`() throws {
        var marks = "e".unicodeScalars
        for index in 0..<1_000_000 { marks.append(index.isMultiple(of: 2) ? "\u{301}" : "\u{316}") }
        let hostile = String(marks)
        let object = try JSON(parsing: "{\"\(hostile)\": \"\(hostile)\", \"b\": 1}")
        #expect(object[hostile]?.string?.utf8.count == hostile.utf8.count && object["x"] == nil)
        #expect(object[hostile] != "ok" && object[hostile] == JSON(hostile) && Set([object, object]).count == 1)
        // Names in two forms of Unicode are two names: https://www.rfc-editor.org/rfc/rfc8259#section-8.3
        #expect(try JSON(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2}").object?.count == 2)
        #expect(try JSON(parsing: "{\"a\": [1, \"x\"], \"b\": null}") == JSON(parsing: "{\"b\": null, \"a\": [1.0, \"x\"]}"))
    }

    @Test func `Values are found by path`() {
        let value: JSON = ["users": [["name": "Bob"], ["name": "Eve"]]]
        #expect(value.value(at: "users.1.name") == "Eve")
        #expect(value.value(at: "users.2.name") == nil)
        #expect(value["users"]?[0]?["name"]?.string == "Bob")
    }

    @Test func `A JSON value is coded and decoded`() throws {
        let value: JSON = ["a": [1, -2.5, "x", nil, true], "b": ["c": 18_446_744_073_709_551]]
        #expect(try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value)) == value)
        #expect(try JSON(encoding: ["x": [1, 2]]) == ["x": [1, 2]])
    }
}

@Suite("Models", .onOneThread, .countsResources)
struct ModelTests {
    struct UserDTO: Codable, RawMappable, Equatable {
        var name: String
        var age: Int?
    }

    struct User: DTOConvertible, Equatable {
        struct Nameless: Error, Equatable {}
        var name: String

        func toDTO() throws -> UserDTO { UserDTO(name: name) }
        static func from(dto: UserDTO) throws -> User {
            guard !dto.name.isEmpty else { throw Nameless() }
            return User(name: dto.name)
        }
    }

    @Test func `Codable DTOs have default raw mappings`() throws {
        #expect(try UserDTO(name: "Bob").toRaw() == ["name": "Bob"])
        #expect(try UserDTO.from(raw: ["name": "Bob", "age": 3]) == UserDTO(name: "Bob", age: 3))
    }

    @Test func `Collections of models are models`() throws {
        #expect(try [User(name: "Bob")].toDTO() == [UserDTO(name: "Bob")])
        #expect(try [User]?.from(dto: [UserDTO(name: "Bob")]) == [User(name: "Bob")])
        #expect(try [String: User].from(dto: ["a": UserDTO(name: "Bob")]) == ["a": User(name: "Bob")])
        #expect(try [UserDTO].from(raw: [["name": "Bob"]]) == [UserDTO(name: "Bob")])
        #expect(try UserDTO?.from(raw: nil) == nil)
        #expect(throws: User.Nameless.self) { try [User].from(dto: [UserDTO(name: "")]) }
    }

    @Test func `Errors contain the path`() {
        #expect(throws: JSON.ModelFailure.undecodable(type: "UserDTO", path: "a[1]", reason: "\"name\" is missing")) {
            try [String: [UserDTO]].from(raw: ["a": [["name": "Bob"], [:]]])
        }
        #expect(
            throws: JSON.ModelFailure.undecodable(type: "Array<UserDTO>", path: "[1].age", reason: "expected Int")
        ) {
            try ([["name": "Bob"], ["name": "Eve", "age": "x"]] as JSON).decode([UserDTO].self)
        }
    }
}
