import NetNodes
import StreamsTesting
import Testing

@Suite("Text of others is shortened in characters and in bytes", .countsResources)
struct ExcerptTests {
    @Test func `A short text is itself, and of a long one the beginning is kept`() {
        #expect("".excerpt(3) == "")
        #expect("abc".excerpt(3) == "abc")
        #expect("abcd".excerpt(3) == "abc…")
        #expect("日本語テキスト".excerpt(3) == "日本語…")
        #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦".excerpt(20) == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦")
        #expect("abc".excerpt(0) == "…")
    }

    @Test(arguments: [["\u{301}"], ["\u{301}", "\u{316}"], ["\u{1D165}"]])
    func `A character of megabytes is cut between two of its scalars`(marks: [Unicode.Scalar]) {
        var text = "e".unicodeScalars
        for index in 0..<1_000_000 { text.append(marks[index % marks.count]) }
        let excerpt = String(text).excerpt(40)
        #expect(excerpt.utf8.count <= 40 * 4 + 3)
        #expect(excerpt.utf8.count > 40 * 4 - 4)
        #expect(excerpt.hasSuffix("…"))
        #expect(!excerpt.unicodeScalars.contains("\u{FFFD}"))
    }
}
