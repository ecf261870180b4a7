import StreamsTesting
import TerminalViews
import Testing

@Suite("Bytes are parsed into keys, however they are split", .countsResources)
struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var parser = KeyParser()
        return parser.feed(Array(text.utf8))
    }

    @Test(arguments: KeyTable.keys)
    func `Each sequence is its key`(typed: Typed, key: Key) {
        #expect(keys(typed.text) == [key])
    }

    @Test(arguments: KeyTable.others)
    func `What is no key gives none, and the next key is whole`(typed: Typed) {
        #expect(keys(typed.text + "q") == [.character("q")])
    }

    @Test func `A lone Esc, and Alt with a letter that begins a sequence, are decided by a timeout`() {
        var parser = KeyParser()
        for (bytes, keys) in [
            ("\u{1B}", [.escape]), ("\u{1B}[", [.alt("[")]), ("\u{1B}O", [.alt("O")]), ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\u{1B}\u{1B}O", [.escape, .alt("O")]),
        ] as [(String, [Key])] {
            #expect(parser.feed(bytes.utf8).isEmpty)
            #expect(parser.isTimed)
            #expect(parser.timeOut() == keys)
            #expect(!parser.isTimed)
            #expect(parser.feed("q".utf8) == [.character("q")])
        }
    }

    @Test(
        arguments: [
            ("\u{1B}[1", []), ("\u{1B}\u{1B}[1", [.escape]), ("\u{1B}[<0;3", []), ("\u{1B}[[", []), ("\u{1B}[M ", []),
            ("\u{1B}]0;x", []), ("\u{1B}]0;x\u{1B}", []),
        ] as [(Typed, [Key])])
    func `A truncated sequence waits, and is no key where the next one or the end comes`(typed: Typed, lone: [Key]) {
        var parser = KeyParser()
        #expect(parser.feed(typed.text.utf8).isEmpty)
        #expect(!parser.isTimed)
        #expect(parser.timeOut() == [])
        #expect(parser.feed("\u{1B}[B".utf8) == lone + [.down])
        #expect(parser.feed(typed.text.utf8).isEmpty)
        #expect(parser.finish() == lone)
        #expect(parser.feed("q".utf8) == [.character("q")])
    }

    @Test func `A truncated character waits, and is no key where the next one or the end comes`() {
        var parser = KeyParser()
        for (bytes, lone) in [([0xF0, 0x9F], []), ([0xE6], []), ([0x1B, 0xC3], [.escape])] as [([UInt8], [Key])] {
            #expect(parser.feed(bytes).isEmpty)
            #expect(!parser.isTimed)
            #expect(parser.feed("\u{1B}[B".utf8) == lone + [.down])
            #expect(parser.feed(bytes).isEmpty)
            #expect(parser.finish() == lone)
        }
    }

    @Test(arguments: [Typed("\u{1B}"), "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P"])
    func `What is a key by itself is that key where the next one or the end comes`(typed: Typed) {
        var parser = KeyParser()
        #expect(parser.feed(typed.text.utf8).isEmpty)
        let key = parser.timeOut()
        #expect(key.count == 1)
        var other = KeyParser()
        #expect(other.feed(typed.text.utf8).isEmpty)
        #expect(other.finish() == key)
        #expect(keys(typed.text + "\u{3}") == key + [.control("c")])
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

    @Test func `A Ctrl-C within a paste is text, and one alone after a silence ends a paste that lost its end`() {
        #expect(keys("\u{1B}[200~a\u{3}b\u{1B}[201~") == [.paste("a\u{3}b")])
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[200~a\u{3}".utf8).isEmpty)
        #expect(parser.timeOut() == [])
        #expect(!parser.isTimed)
        // What follows at once was pasted, too.
        #expect(parser.feed("\u{3}b".utf8).isEmpty)
        #expect(parser.timeOut() == [])
        #expect(parser.feed("\u{1B}[20\u{3}".utf8).isEmpty)
        #expect(parser.timeOut() == [])
        #expect(parser.feed("\u{3}\u{3}".utf8).isEmpty)
        #expect(parser.isTimed)
        #expect(parser.timeOut() == [.paste("a\u{3}\u{3}b\u{1B}[20\u{3}"), .control("c")])
        #expect(parser.feed("\u{3}".utf8) == [.control("c")])
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
        #expect(parser.finish() == whole.finish())
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

    @Test func `A paste without an end waits for it, and ends with the input`() {
        var parser = KeyParser()
        #expect(parser.feed("\u{1B}[200~ab".utf8).isEmpty)
        for _ in 0..<3 { #expect(parser.timeOut() == []) }
        #expect(parser.feed("\u{1B}[200~c\u{1B}[2".utf8).isEmpty)
        #expect(parser.finish() == [.paste("ab\u{1B}[200~c")])
        #expect(parser.feed([0x71]) == [.character("q")])
    }

    @Test func `Keys have printable names`() {
        #expect(Key.control("c").description == "ctrl-c")
        #expect(Key(.tab, .shift).description == "shift-tab")
        #expect(Key.function(5).description == "f5")
        #expect(Key(.character("a"), [.super, .control, .hyper, .meta]).description == "ctrl-super-hyper-meta-a")
        #expect(Key.character(" ").description == "space")
        #expect(Key.paste("a\nb").description == "paste")
    }
}
