import StreamsTesting
import TerminalViews
import Testing

/// Text whose description is safe to print in a test's log.
struct Typed: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.init(text) }

    var testDescription: String { text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
}

@Suite("Bytes are parsed into keys, however they are split", .countsResources)
struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var parser = KeyParser()
        return parser.feed(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("a", .character("a")), ("é", .character("é")), ("日", .character("日")), ("😀", .character("😀")),
            (" ", .character(" ")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\u{3}", .control("c")),
            ("\0", .control(" ")), ("\u{1C}", .control("\\")), ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down),
            ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[F", .end), ("\u{1B}[4~", .end),
            ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}OP", .function(1)),
            ("\u{1B}[15~", .function(5)), ("\u{1B}[24~", .function(12)), ("\u{1B}[[A", .function(1)), ("\u{1B}[Z", Key(.tab, .shift)),
            ("\u{1B}[1;5A", Key(.up, .control)), ("\u{1B}[1;2P", Key(.function(1), .shift)), ("\u{1B}[3;5~", Key(.delete, .control)),
            ("\u{1B}x", .alt("x")), ("\u{1B}[97;5u", .control("a")), ("\u{1B}[27u", .escape), ("\u{1B}OM", .enter),
            ("\u{1B}[<0;3;4M", .mouse(.press(.left), at: Point(x: 2, y: 3))), ("\u{1B}[<2;1;1M", .mouse(.press(.right), at: .zero)),
            ("\u{1B}[<0;300;1m", .mouse(.release, at: Point(x: 299, y: 0))), ("\u{1B}[<64;1;1M", .mouse(.wheelUp, at: .zero)),
            ("\u{1B}[<65;1;9M", .mouse(.wheelDown, at: Point(x: 0, y: 8))),
            ("\u{1B}[<20;1;1M", Key(.mouse(Mouse(.press(.left), at: .zero, [.shift, .control])), [.shift, .control])),
            // Alt.
            ("\u{1B}\u{7F}", Key(.backspace, .alt)), ("\u{1B}\r", Key(.enter, .alt)), ("\u{1B}\t", Key(.tab, .alt)),
            ("\u{1B}é", .alt("é")), ("\u{1B}😀", .alt("😀")), ("\u{1B}\u{1}", Key(.character("a"), [.alt, .control])),
            ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}\u{1B}OB", Key(.down, .alt)), ("\u{1B}\u{1B}[3~", Key(.delete, .alt)),
            ("\u{1B}\u{1B}[1;5C", Key(.right, [.alt, .control])),
            // rxvt.
            ("\u{1B}[a", Key(.up, .shift)), ("\u{1B}[d", Key(.left, .shift)), ("\u{1B}Ob", Key(.down, .control)),
            ("\u{1B}Oc", Key(.right, .control)), ("\u{1B}[5$", Key(.pageUp, .shift)), ("\u{1B}[7^", Key(.home, .control)),
            ("\u{1B}[3@", Key(.delete, [.control, .shift])), ("\u{1B}\u{1B}Oa", Key(.up, [.alt, .control])),
            // X10.
            ("\u{1B}[M !!", .mouse(.press(.left), at: .zero)), ("\u{1B}[M#*q", .mouse(.release, at: Point(x: 9, y: 80))),
            ("\u{1B}[Maq!", .mouse(.wheelDown, at: Point(x: 80, y: 0))),
            ("\u{1B}[M2!!", Key(.mouse(Mouse(.press(.right), at: .zero, .control)), .control)),
        ] as [(Typed, Key)])
    func `Each sequence is its key`(typed: Typed, key: Key) {
        #expect(keys(typed.text) == [key])
    }

    @Test(
        arguments: [
            "\u{1B}[12;40R", "\u{1B}[?1;2c", "\u{1B}[<35;3;4M", "\u{1B}[<0;0;4M", "\u{1B}[<0;3M", "\u{1B}[<0;3;4X",
            "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]0;title\u{1B}\\",
            "\u{1B}P+q\u{1B}\\",
            "\u{1B}[99999999999~", "\u{1B}[201~", "\u{1B}[1;2;3;4A", Typed("\u{1B}[" + String(repeating: "1;", count: 500) + "A"),
            "\u{1B}[[Z", "\u{85}", "\u{1B}[?2026;2$y", "\u{1B}[M@!!", "\u{1B}[MC!!", "\u{1B}[M \0!", "\u{1B}[M  !",
        ] as [Typed])
    func `What is no key gives none, and the next key is whole`(typed: Typed) {
        #expect(keys(typed.text + "q") == [.character("q")])
    }

    @Test func `A lone Esc and truncated sequences are decided by a timeout`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B]).isEmpty)
        #expect(parser.isPending)
        #expect(parser.timeOut() == [.escape])
        #expect(!parser.isPending)
        #expect(parser.feed([0x1B, 0x5B]).isEmpty)
        #expect(parser.timeOut() == [.alt("[")])
        #expect(parser.feed([0x1B, 0x4F]).isEmpty)
        #expect(parser.timeOut() == [.alt("O")])
        #expect(parser.feed([0x1B, 0x5B, 0x31]).isEmpty)
        #expect(parser.timeOut() == [])
        #expect(parser.feed([0xF0, 0x9F]).isEmpty)
        #expect(parser.timeOut() == [])
        #expect(parser.feed([0x71]) == [.character("q")])
        #expect(parser.feed([0x1B, 0x1B]).isEmpty)
        #expect(parser.timeOut() == [.escape, .escape])
        #expect(parser.feed([0x1B, 0xC3]).isEmpty)
        #expect(parser.timeOut() == [.escape])
        #expect(parser.feed(Array("\u{1B}[M ".utf8)).isEmpty)
        #expect(parser.timeOut() == [])
    }

    @Test(arguments: ["]", "P", "_", "^", "X"] as [Character])
    func `Alt with a letter that begins an answer of a terminal is a key where nothing follows`(letter: Character) {
        var parser = KeyParser()
        #expect(parser.feed(Array("\u{1B}\(letter)".utf8)).isEmpty)
        #expect(parser.timeOut() == [.alt(letter)])
        #expect(keys("\u{1B}\(letter)\rq") == [.alt(letter), .enter, .character("q")])
        #expect(keys("\u{1B}\(letter)1;rgb:0/0/0\u{7}q") == [.character("q")])
    }

    @Test func `A click beyond the columns of ASCII is three bytes as well, whatever they are`() {
        var parser = KeyParser()
        #expect(parser.feed([0x1B, 0x5B, 0x4D, 0x20, 0xC3, 0xFF]) == [.mouse(.press(.left), at: Point(x: 162, y: 222))])
        #expect(parser.feed([0x1B, 0x5B, 0x4D, 0x20, 0x71, 0x03]) == [.control("c")])
    }

    @Test func `Esc before what Alt does not go with is a key of its own`() {
        #expect(keys("\u{1B}\u{3}") == [.escape, .control("c")])
        #expect(keys("\u{1B}\u{1B}\u{1B}[A") == [.escape, Key(.up, .alt)])
        #expect(keys("\u{1B}\u{1B}x") == [.escape, .alt("x")])
        #expect(keys("\u{1B}\u{1B}[M !!") == [.escape, .mouse(.press(.left), at: .zero)])
        #expect(keys("\u{1B}\u{1B}[200~a\u{1B}[201~") == [.escape, .paste("a")])
        #expect(keys("\u{1B}\u{1B}[12;40Rq") == [.escape, .character("q")])
        #expect(keys("\u{1B}\u{1B}]0;x\u{7}q") == [.escape, .character("q")])
    }

    @Test(arguments: [
        Typed("\u{1B}"), "\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}]0;x", "\u{1B}P1\u{1B}", "\u{1B}\u{1B}", "\u{1B}P", "\u{1B}[M",
        "\u{1B}[M !",
    ])
    func `Ctrl-C is never swallowed, whatever came before`(prefix: Typed) {
        #expect(keys(prefix.text + "\u{3}").last == .control("c"))
    }

    @Test func `A Ctrl-C within a paste is text, and after a paste that lost its end it is a key again`() {
        #expect(keys("\u{1B}[200~a\u{3}b\u{1B}[201~") == [.paste("a\u{3}b")])
        var parser = KeyParser()
        #expect(parser.feed(Array("\u{1B}[200~a\u{1B}[20\u{3}".utf8)).isEmpty)
        #expect(parser.timeOut() == [.paste("a\u{1B}[20\u{3}")])
        #expect(parser.feed([0x03]) == [.control("c")])
    }

    @Test func `Invalid UTF-8 is ignored`() {
        var parser = KeyParser()
        #expect(parser.feed([0xFF, 0xC0, 0x80, 0xE6, 0x41, 0xED, 0xA0, 0x80, 0x42]) == [.character("A"), .character("B")])
    }

    @Test(arguments: UInt64(1)...40) func `Random bytes give the same keys however they are split, and little is buffered`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            [0x1B], [0x5B], [0x4F], Array("1;5A".utf8), Array("é日😀".utf8), [0x9F], [0x03], Array("]0;".utf8), [0x07],
            Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8),
            Array("\u{1B}[M".utf8), Array("\u{1B}\u{1B}".utf8), [0x50],
        ]
        let bytes = (0..<200).flatMap { _ in
            Bool.random(using: &generator) ? pieces.randomElement(using: &generator) ?? [] : [UInt8.random(in: 0...255, using: &generator)]
        }
        var whole = KeyParser()
        let expected = whole.feed(bytes)
        var parser = KeyParser()
        var keys: [Key] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...7, using: &generator)
            keys += parser.feed(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(keys == expected, "seed \(seed)")
        #expect(parser.isPending == whole.isPending)
    }

    @Test(
        arguments: [
            ("q", "q"), ("sS?q\r\n\t", "sS?q\r\n\t"), ("é日😀", "é日😀"), ("\u{1B}[A\u{1B}[200~\u{1B}[20", "\u{1B}[A\u{1B}[200~\u{1B}[20"),
            ("\u{1B}\u{1B}", "\u{1B}\u{1B}"),
        ] as [(Typed, Typed)])
    func `A paste is one key, and what follows it are keys again`(typed: Typed, pasted: Typed) {
        #expect(keys("a\u{1B}[200~\(typed.text)\u{1B}[201~b") == [.character("a"), .paste(pasted.text), .character("b")])
        #expect(keys("\u{1B}[200~\u{1B}[201~b") == [.character("b")])
    }

    @Test func `A paste is truncated to its limit, in whole characters`() {
        let text = "a" + String(repeating: "é", count: KeyParser.longestPaste)
        let keys = keys("\u{1B}[200~\(text)\u{1B}[201~q")
        #expect(keys.count == 2)
        #expect(keys.first?.pasted == String(text.prefix(KeyParser.longestPaste / 2)))
        #expect(keys.last == .character("q"))
    }

    @Test func `A paste without an end marker times out`() {
        var parser = KeyParser()
        #expect(parser.feed(Array("\u{1B}[200~ab".utf8)).isEmpty)
        #expect(parser.isPending)
        #expect(parser.isPasting)
        #expect(parser.timeOut() == [.paste("ab")])
        #expect(!parser.isPasting)
        #expect(parser.feed([0x71]) == [.character("q")])
    }

    @Test func `Keys have printable names`() {
        #expect(Key.control("c").description == "ctrl-c")
        #expect(Key(.tab, .shift).description == "shift-tab")
        #expect(Key.function(5).description == "f5")
        #expect(Key.character(" ").description == "space")
        #expect(Key.paste("a\nb").description == "paste")
    }
}
