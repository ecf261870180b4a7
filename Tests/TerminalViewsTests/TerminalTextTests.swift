import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@Suite("Text is measured in columns and made safe", .countsResources)
struct TerminalTextTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ｆｕｌｌ", 8), ("▁▂█", 3), ("─│┌", 3),
            ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2), ("☎", 1), ("1️⃣", 2), ("⌚", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("a\u{200B}b", 2), ("ไทย", 3),
            ("…°±µ", 4),
            // As the Python package wcwidth measures them.
            ("\u{D4E}", 1), ("\u{D4E}\u{D15}", 2), ("\u{D4E}\u{D4E}\u{D4E}", 3), ("\u{600}\u{661}\u{662}", 3), ("\u{600}日", 3),
            ("\u{110BD}\u{11083}", 2), ("\u{6DD}a", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("\u{1161}", 0), ("\u{AC00}\u{11A8}", 2),
            ("\u{915}\u{93F}", 2), ("\u{915}\u{94D}\u{937}", 2), ("a\u{903}", 2), ("\u{304B}\u{3099}", 2), ("\u{3164}", 0),
            ("a\u{FE0F}", 1), ("\u{231A}\u{FE0E}", 1), ("\u{2702}\u{FE0F}", 2), ("\u{1F1E9}", 2), ("\u{1F1E9}\u{1F1EA}\u{1F1E9}", 4),
            ("\u{200D}", 0), ("\u{FE0F}", 0), ("\u{AD}", 1),
            // As Unicode 16 has them: hexagrams are wide, a consonant sign of Ahom is a spacing mark.
            ("\u{4DC0}", 2), ("\u{4DFF}", 2), ("\u{1171E}", 1), ("\u{1171D}", 0),
            ("\u{301}", 0), ("a\tb", 3), ("\r\n", 1), ("\u{1B}", 1), ("\u{7F}", 1),
        ] as [(Typed, Int)])
    func `A text takes the columns that a terminal gives it`(text: Typed, columns: Int) {
        #expect(TerminalText.width(of: text.text) == columns)
    }

    @Test
    @MainActor
    func `Prepended marks have cells of their own, on the canvas and on the screen`() {
        let text = String(repeating: "\u{D4E}", count: 40) + "\u{D15}|"
        #expect(TerminalText.width(of: text) == 42)
        #expect(TerminalText.width(of: TerminalText.sanitized(text)) == 42)
        var canvas = Canvas(size: Size(width: 50, height: 1))
        #expect(canvas.draw(text) == 42)
        #expect(canvas[41, 0]?.character == "|")
        var renderer = DifferenceRenderer(depth: .monochrome)
        var screen = TerminalEmulator(size: canvas.size)
        screen.feed(renderer.render(canvas))
        #expect(screen[41, 0].text == "|")
        #expect(screen[40, 0].text == "\u{D15}")
    }

    @Test func `No control character and no directional formatting survives`() {
        #expect(TerminalText.sanitized("a\u{1B}[31mb\u{7}\u{7F}") == "a␛[31mb␇␡")
        #expect(TerminalText.sanitized("a\nb\tc\r\nd\u{2028}e") == "a b c d e")
        #expect(TerminalText.sanitized("\u{9B}31m\u{85}") == "\u{FFFD}31m\u{FFFD}")
        #expect(TerminalText.sanitized("user\u{202E}gpj.exe") == "user\u{FFFD}gpj.exe")
        #expect(TerminalText.sanitizedLines("a\u{1B}c\n\tb\r\nc") == "a␛c\n\tb\nc")
        #expect(TerminalText.sanitized("naïve 日本 👨‍👩‍👧") == "naïve 日本 👨‍👩‍👧")
    }

    @Test func `Every scalar there is becomes text without controls`() {
        for row in UInt32(0)...0x10FF {
            // Between letters, so that none joins with another.
            let scalars = (row << 8...row << 8 | 0xFF).compactMap(Unicode.Scalar.init).flatMap { ["a", $0] as [Unicode.Scalar] }
            let controls = TerminalText.sanitized(String(String.UnicodeScalarView(scalars))).unicodeScalars.filter {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
            #expect(controls.isEmpty)
        }
    }

    @Test func `Combining marks on a letter are limited`() {
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(TerminalText.sanitized(stacked).unicodeScalars.count == 16)
        #expect(TerminalText.width(of: stacked) == 1)
    }

    /// Such marks take quadratic time to normalize, and so does every comparison of characters that needs it.
    @MainActor
    @Test(.timeLimit(.minutes(5)))
    func `A character of 100,000 marks is measured, made safe, cut, wrapped and drawn in linear time`() {
        var marks = "e".unicodeScalars
        for index in 0..<100_000 { marks.append(index.isMultiple(of: 2) ? "\u{301}" : "\u{316}") }
        let text = "ab " + String(marks) + "c"
        #expect(TerminalText.width(of: text) == 5)
        #expect(TerminalText.sanitized(text).unicodeScalars.count == 20)
        #expect(TerminalText.ascii(text) == "ab ec")
        #expect(TerminalText.clipped(text, to: 4) == "ab …")
        #expect(StyledText(text).wrapped(to: 3).count == 2)
        #expect(StyledText(text) != StyledText("x") && StyledText(text).string.unicodeScalars.count == 20)
        #expect(Set([StyledText(text), StyledText(text)]).count == 1)
        let table = Table(columns: [.init("t", width: .fit, minimum: 3, truncation: .middle)])
        table.rows = [Table.Row(id: "1", [.text(StyledText(text))]), Table.Row(id: "2", [.text("abcdefgh")])]
        #expect(table.snapshot(in: Size(width: 6, height: 3)).text.hasPrefix(" t"))
    }

    @Test func `Incremental text is sanitized wherever it is split`() {
        let text = "a\u{1B}[2J\r\nb\rc\u{9B}é日👨‍👩‍👧\u{202E}\t\u{7F}e\u{301}" + String(repeating: "\u{301}", count: 40) + "\u{2028}\u{C}x\r"
        let bytes = Array(text.utf8) + [0xED, 0xA0, 0x80, 0xC0, 0xE6, 0x97]
        var whole = TerminalText.LineSanitizer()
        let expected = whole.feed(bytes) + whole.finish()
        let marks = String(repeating: "\u{301}", count: 15)
        let safe = "a␛[2J\nb c\u{FFFD}é日👨‍👩‍👧\u{FFFD}\t␡e\(marks)  x "
        #expect(String(decoding: expected, as: UTF8.self) == safe + String(repeating: "\u{FFFD}", count: 5))
        for place in bytes.indices {
            var sanitizer = TerminalText.LineSanitizer()
            #expect(sanitizer.feed(Array(bytes[..<place])) + sanitizer.feed(Array(bytes[place...])) + sanitizer.finish() == expected)
            #expect(!sanitizer.isText)
        }
        #expect(TerminalText.sanitizedLines(text) == safe)
    }

    @Test func `Every scalar there is becomes lines without controls`() {
        var sanitizer = TerminalText.LineSanitizer()
        let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        let safe = sanitizer.feed(Array(String(String.UnicodeScalarView(all)).utf8))
        #expect(sanitizer.isText)
        let controls = String(decoding: safe, as: UTF8.self).unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" && $0 != "\t" || (0x7F...0x9F).contains($0.value)
        }
        #expect(controls.isEmpty)
    }

    @Test func `Clipping counts columns and adds an ellipsis`() {
        #expect(TerminalText.clipped("abcdef", to: 6) == "abcdef")
        #expect(TerminalText.clipped("abcdef", to: 4) == "abc…")
        #expect(TerminalText.clipped("日本語", to: 4) == "日…")
        #expect(TerminalText.clipped("日本語", to: 5) == "日本…")
        #expect(TerminalText.clipped("abc", to: 0) == "")
        #expect(TerminalText.padded("日", to: 5, alignment: .trailing) == "   日")
        #expect(TerminalText.padded("ab", to: 5, alignment: .center) == " ab  ")
        #expect(TerminalText.padded("abcdef", to: 3) == "ab…")
    }

    @Test func `Styled text is clipped across its spans`() {
        let text = StyledText("ab", .bold) + StyledText("cdef", .dim)
        #expect(text.clipped(to: 6) == text)
        #expect(text.clipped(to: 4) == StyledText("ab", .bold) + StyledText("c…", .dim))
        #expect(text.clipped(to: 2) == StyledText("a…", .bold))
        #expect(text.clipped(to: 0) == StyledText(""))
        #expect(StyledText("a\nb", .bold).lines == [StyledText("a", .bold), StyledText("b", .bold)])
    }
}
