import StreamsTesting
import Testing

@testable import TerminalViews

@Suite("Text is cut where it tells least", .countsResources)
struct TruncationTests {
    @Test(
        arguments: [
            ("abcdefghij", 5, "ab…ij"), ("abcdefghij", 6, "ab…hij"), ("abc", 3, "abc"), ("abc", 1, "…"), ("abc", 0, ""),
            ("日本語日本語", 6, "日…語"),
        ])
    func `The middle is cut, never a character in half, and styles stay`(text: String, columns: Int, cut: String) {
        #expect(TerminalText.clippedInMiddle(text, to: columns) == cut)
    }

    @Test func `Styles stay`() {
        let text = StyledText("abcde", .bold) + StyledText("fghij", .dim)
        let cut = text.clippedInMiddle(to: 5)
        #expect(cut.string == "ab…ij")
        #expect(cut.spans.first?.style == .bold)
        #expect(cut.spans.last?.style == .dim)
    }

    @Test func `The cut moves to where texts are the same`() {
        let texts = ["host/service/alpha/x", "host/service/beta/xx"].map { StyledText($0) }
        #expect(StyledText.Truncation.head(keepingApart: texts, in: 15) == 7)
        let beginnings = ["alpha-service-health-check", "gamma-service-health-check"].map { StyledText($0) }
        #expect(StyledText.Truncation.head(keepingApart: beginnings, in: 5) == 2)
        let ends = (0..<9).map { StyledText("a-very-long-common-beginning-\($0)-end") }
        let head = StyledText.Truncation.head(keepingApart: ends, in: 9)
        #expect(Set(ends.map { $0.clippedInMiddle(to: 9, keeping: head).string }).count == 9)
        #expect(StyledText.Truncation.head(keepingApart: [], in: 0) == 0)
    }
}

@Suite("Terminals without Unicode get ASCII", .countsResources)
struct ASCIITests {
    @Test(
        arguments: [
            ("┌─┐│", "+-+|"), ("▁▄█", "_-#"), ("café…", "cafe~"), ("日本", "????"), ("● ▼", "* V"), ("plain ~", "plain ~"), ("😀", "??"),
        ])
    func `Each character becomes one of its width`(text: String, ascii: String) {
        #expect(TerminalText.ascii(text) == ascii)
        #expect(TerminalText.width(of: text) == TerminalText.width(of: ascii))
    }

    @Test func `The locale decides: the first variable that is set; none is Unicode`() {
        #expect(TerminalText.isUnicode([:]))
        #expect(TerminalText.isUnicode(["LANG": ""]))
        #expect(!TerminalText.isUnicode(["LANG": "C"]))
        #expect(TerminalText.isUnicode(["LANG": "C.UTF-8"]))
        #expect(TerminalText.isUnicode(["LANG": "C", "LC_CTYPE": "eo.utf8"]))
        #expect(!TerminalText.isUnicode(["LANG": "eo.UTF-8", "LC_ALL": "POSIX"]))
    }

    @Test func `A frame is written in ASCII`() {
        var canvas = Canvas(size: Size(width: 6, height: 1))
        canvas.draw("a┌é日")
        var renderer = DifferenceRenderer(depth: .monochrome, isASCII: true)
        let bytes = renderer.render(canvas)
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(String(decoding: bytes, as: UTF8.self).contains("a+e??"))
    }
}

@Suite("A theme fits the background", .countsResources)
struct ThemeTests {
    @Test(arguments: [("0;15", true), ("15;0", false), ("0;default;7", true), ("12;8", false), ("", false)])
    func `COLORFGBG tells the background`(value: String, isLight: Bool) {
        #expect(Theme(environment: ["COLORFGBG": value]) == (isLight ? .light : .dark))
    }

    @Test func `No color of the light theme is bright`() {
        let bright: Set<Color> = [.yellow, .cyan, .white, .green]
        let theme = Theme.light
        for style in [theme.header, theme.good, theme.warning, theme.bad, theme.accent, theme.faint] {
            #expect(!bright.contains(style.foreground))
        }
    }
}
