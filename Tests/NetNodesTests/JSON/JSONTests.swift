import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("JSON", .countsResources)
struct JSONTests {
    private static let samples: [(String, JSON)] = [
        ("{\"a\": [1, 2.5, \"x\", null, true]}", ["a": [1, 2.5, "x", nil, true]]),
        (" [ ] ", .array([])), ("{}", .empty), ("null", .null), ("-0.5e3", -500.0), ("\"\\u00e9\\n\\ud83d\\ude00\"", "é\n😀"),
        ("false", false),
    ]

    @Test(arguments: samples) func `objects, arrays and scalars are read`(text: String, expected: JSON) throws {
        #expect(try JSON(parsing: text) == expected)
    }

    @Test func `digits are preserved`() throws {
        #expect(try JSON(parsing: "[12345678901234567890123, 1.10]").text() == "[12345678901234567890123,1.10]")
        #expect(try JSON(parsing: "1.0") == 1)
        #expect(try JSON(parsing: "9007199254740993") != 9_007_199_254_740_992)
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
    func `what is not JSON is told with its place`(text: String, line: Int, column: Int, reason: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.reason == reason)
    }

    @Test func `bad UTF-8 and deep nesting are errors`() {
        let badText = #expect(throws: JSONError.self) { try JSON(parsing: Data([0x22, 0xFF, 0x22])) }
        #expect(badText?.reason == "invalid UTF-8 in a string")
        let deep = #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "[", count: 100_000)) }
        #expect(deep?.reason == "nested too deeply")
    }

    @Test func `no input crashes the parser`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:\\u0129eE+-.truefalsn \n\u{1}".utf8) + [0xFF, 0xC3, 0xED]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if let value = try? JSON(parsing: Data(bytes)) {
                #expect(throws: Never.self) { try JSON(parsing: value.text()) == value }
            }
        }
    }

    @Test func `members keep their order, or are sorted on demand`() throws {
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

    @Test func `control characters never reach a terminal`() {
        #expect(JSON.string("\u{1B}[2J\u{9B}x").text() == "\"\\u001b[2J\\u009bx\"")
    }

    @Test func `values are found by path`() {
        let value: JSON = ["users": [["name": "Bob"], ["name": "Eve"]]]
        #expect(value.value(at: "users.1.name") == "Eve")
        #expect(value.value(at: "users.2.name") == nil)
        #expect(value["users"]?[0]?["name"]?.string == "Bob")
    }

    @Test func `a JSON value is coded and decoded`() throws {
        let value: JSON = ["a": [1, -2.5, "x", nil, true], "b": ["c": 18_446_744_073_709_551]]
        #expect(try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value)) == value)
        #expect(try JSON(encoding: ["x": [1, 2]]) == ["x": [1, 2]])
    }
}

@Suite("Models", .countsResources)
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

    @Test func `collections of models are models`() throws {
        #expect(try [User(name: "Bob")].toDTO() == [UserDTO(name: "Bob")])
        #expect(try [User]?.from(dto: [UserDTO(name: "Bob")]) == [User(name: "Bob")])
        #expect(try [String: User].from(dto: ["a": UserDTO(name: "Bob")]) == ["a": User(name: "Bob")])
        #expect(try [UserDTO].from(raw: [["name": "Bob"]]) == [UserDTO(name: "Bob")])
        #expect(try UserDTO?.from(raw: nil) == nil)
        #expect(throws: User.Nameless.self) { try [User].from(dto: [UserDTO(name: "")]) }
    }

    @Test func `errors contain the path`() {
        #expect(throws: ModelError.undecodable(type: "UserDTO", path: "a[1]", reason: "\"name\" is missing")) {
            try [String: [UserDTO]].from(raw: ["a": [["name": "Bob"], [:]]])
        }
        #expect(
            throws: ModelError.undecodable(type: "Array<UserDTO>", path: "[1].age", reason: "expected Int")
        ) {
            try ([["name": "Bob"], ["name": "Eve", "age": "x"]] as JSON).decode([UserDTO].self)
        }
    }
}
