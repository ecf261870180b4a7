import Foundation
import StreamsTesting
import Testing

@Suite("The tables of limits", .onOneThread)
struct BufferPageTests {
    @Test func `Every limit that it names stands in the code as it says`() throws {
        let claims = try page().matches(of: /`(Sources\/[^`]+\.swift)`: `([^`]+)`/)
        #expect(claims.count >= 40)
        for claim in claims {
            let file = try Documentation.text(String(claim.1))
            #expect(file.contains(claim.2), "\(claim.1) has no \(claim.2)")
        }
    }

    @Test func `The number of each limit is that of the code beside it`() throws {
        let rows = try page().split(separator: "\n").map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let claims = rows.filter { $0.count > 2 && $0.last?.hasPrefix("`Sources/") == true }
        #expect(claims.count >= 25)
        for claim in claims {
            let stated = try #require(claim[1].firstMatch(of: /^([\d,]+)(?: (KB|MB))?/), "\(claim[1])")
            let code = try #require(claim[claim.count - 1].matches(of: /[\d_,]+(?: (?:\*|<<) \d+)*/).last?.output, "\(claim)")
            #expect(Self.bytes(stated.1, stated.2) == Self.value(of: code), "\(claim)")
        }
    }

    private static func bytes(_ number: Substring, _ unit: Substring?) -> Int? {
        Int(number.filter(\.isNumber)).map { $0 << (unit == "MB" ? 20 : unit == "KB" ? 10 : 0) }
    }

    /// The value of a product or of a shift.
    private static func value(of code: Substring) -> Int? {
        let numbers = code.split { !$0.isNumber && $0 != "_" && $0 != "," }.compactMap { Int($0.filter(\.isNumber)) }
        guard let first = numbers.first else { return nil }
        return numbers.dropFirst().reduce(first) { code.contains("<<") ? $0 << $1 : $0 * $1 }
    }

    @Test func `Every operator that takes a policy is on it`() throws {
        let page = try page()
        var names: Set<String> = []
        for (_, code) in try Documentation.sources(in: "Sources/Streams/Operators") {
            let found = code.matches(of: /public (?:static )?func ([a-zA-Z]+)\([^{]*overflow [a-z]*: BufferingPolicy/)
            names.formUnion(found.map { String($0.1) })
        }
        #expect(names.count >= 3)
        for name in names { #expect(page.contains("\(name)("), "\(name) is not on the page") }
    }

    private func page() throws -> String {
        try Documentation.text("Docs/Backpressure.md")
    }
}
