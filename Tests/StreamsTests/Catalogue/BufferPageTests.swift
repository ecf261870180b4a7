import Foundation
import StreamsTesting
import Testing

@Suite(.onOneThread)
struct BufferPageTests {
    @Test func `Every limit that it names stands in the code as it says`() throws {
        let claims = try page().matches(of: /`(Sources\/[^`]+\.swift)`: `([^`]+)`/)
        #expect(claims.count >= 40)
        for claim in claims {
            let file = try Documentation.text(String(claim.1))
            #expect(file.contains(claim.2), "\(claim.1) has no \(claim.2)")
        }
    }

    @Test func `Every operator that takes a policy is on it`() throws {
        let page = try page()
        let operators = Documentation.root.appending(path: "Sources/Streams/Operators")
        let files = try #require(FileManager.default.enumerator(at: operators, includingPropertiesForKeys: nil))
        var names: Set<Substring> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(code.matches(of: /public (?:static )?func ([a-zA-Z]+)\([^{]*overflow [a-z]*: BufferingPolicy/).map(\.1))
        }
        #expect(names.count >= 3)
        for name in names { #expect(page.contains("\(name)("), "\(name) is not on the page") }
    }

    private func page() throws -> String {
        try Documentation.text("Docs/Backpressure.md")
    }
}
