import StreamsTesting
import TerminalViews
import Testing

/// The pieces in which a terminal, a multiplexer or a line delivers some keys, each a second after the one before.
struct TerminalWay: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let pieces: [[UInt8]]
    let keys: [Key]

    init(_ name: String, _ pieces: [String], _ keys: [Key]) {
        self.init(name, pieces.map { Array($0.utf8) }, keys)
    }

    init(_ name: String, _ pieces: [[UInt8]], _ keys: [Key]) {
        (testDescription, self.pieces, self.keys) = (name, pieces, keys)
    }

    /// Pieces of this many bytes.
    init(_ name: String, _ text: String, every count: Int, _ keys: [Key]) {
        let bytes = Array(text.utf8)
        let starts = stride(from: 0, to: bytes.count, by: count)
        self.init(name, starts.map { Array(bytes[$0..<min($0 + count, bytes.count)]) }, keys)
    }
}

@MainActor
@Suite("The keys of terminals and multiplexers arrive whole", .countsResources)
struct TerminalWaysTests {
    private nonisolated static let paste = "\u{1B}[200~rm -rf q\rq\u{1B}[201~"
    private nonisolated static let pasted = Key.paste("rm -rf q\rq")

    nonisolated static let ways = [
        TerminalWay(
            "xterm: one write for each key", ["\u{1B}[A", "\u{1B}OP", "\u{1B}[15;2~"], [.up, .function(1), Key(.function(5), .shift)]),
        TerminalWay("xterm with modifyOtherKeys", ["\u{1B}[27;5", ";44~", "q"], [.control(","), .character("q")]),
        TerminalWay("rxvt-unicode: a final $, ^ or @", ["\u{1B}[5", "$", "\u{1B}[7", "^"], [Key(.pageUp, .shift), Key(.home, .control)]),
        TerminalWay("the console of Linux: F1 to F5", ["\u{1B}[[", "A", "\u{1B}[[E"], [.function(1), .function(5)]),
        TerminalWay("kitty: the keypad, and the release of each key", ["\u{1B}[57400;1", ":1u", "\u{1B}[57400;1:3u"], [.character("1")]),
        TerminalWay(
            "foot and WezTerm: super and locks", ["\u{1B}[97;", "9u", "\u{1B}[97;129u"], [Key(.character("a"), .super), .character("a")]),
        TerminalWay("iTerm2: a slow paste, 16 bytes at a time", paste, every: 16, [pasted]),
        TerminalWay(
            "VS Code: a paste in chunks of 50 characters", "\u{1B}[200~" + String(repeating: "日", count: 200) + "\u{1B}[201~", every: 50,
            [.paste(String(repeating: "日", count: 200))]),
        TerminalWay(
            "Terminal of macOS: combining marks apart", ["e\u{301}", "\u{1B}\u{7F}"],
            [.character("e"), .character("\u{301}"), Key(.backspace, .alt)]),
        TerminalWay("Windows Terminal over ConPTY: surrogates as UTF-8, in two writes", [[0xF0, 0x9F], [0x98, 0x80]], [.character("😀")]),
        TerminalWay(
            "PuTTY: the mouse in three bytes", ["\u{1B}[M", " ", "!!", "\u{1B}[M#!", "!"],
            [.mouse(.press(.left), at: .zero), .mouse(.release, at: .zero)]),
        TerminalWay(
            "Konsole: the wheel, reports joined", ["\u{1B}[<64;1;1M\u{1B}[<6", "5;1;1M"],
            [.mouse(.wheelUp, at: .zero), .mouse(.wheelDown, at: .zero)]),
        TerminalWay("tmux: Esc, held for its escape-time", ["\u{1B}", "q"], [.escape, .character("q")]),
        TerminalWay("tmux: Alt, Esc and letter in one write", ["\u{1B}x", "\u{1B}\u{1B}[A"], [.alt("x"), Key(.up, .alt)]),
        TerminalWay("screen: a paste through its buffer of 4096, here 5", paste, every: 5, [pasted]),
        TerminalWay(
            "mosh: what was typed within a frame at once", ["jj\u{1B}[B\u{1B}[Bé\r"],
            [.character("j"), .character("j"), .down, .down, .character("é"), .enter]),
        TerminalWay(
            "ssh: a segment that ends within a character", [[0x61, 0xE6], [0x97], [0xA5, 0x62]],
            [.character("a"), .character("日"), .character("b")]),
        TerminalWay("ssh: a segment that ends within the start of a paste", ["\u{1B}[20", "0~q \u{1B}[201~"], [.paste("q ")]),
        TerminalWay(
            "ssh: a segment that ends within the end of a paste", ["\u{1B}[200~q", "\u{1B}[201", "~", "q"], [.paste("q"), .character("q")]),
        TerminalWay(
            "a serial line: the buffer of 16 bytes", "\u{1B}[A\u{1B}[1;5C\u{1B}[<0;30;4M\u{1B}[24~日", every: 16,
            [.up, Key(.right, .control), .mouse(.press(.left), at: Point(x: 29, y: 3)), .function(12), .character("日")]),
        TerminalWay(
            "expect with send -s: four bytes at a time", "\u{1B}[15~\u{1B}[1;2P", every: 4, [.function(5), Key(.function(1), .shift)]),
        TerminalWay(
            "a modem: byte after byte once a sequence has begun", [[0x1B, 0x5B, 0x31], [0x3B], [0x35], [0x44], [0xC3], [0xA9]],
            [Key(.left, .control), .character("é")]),
        TerminalWay(
            "Emacs and JetBrains: the answer to a query, cut", ["\u{1B}]11;rgb:00", "00/0000/0000\u{1B}", "\\q"], [.character("q")]),
        TerminalWay(
            "an input method: a word at once, cut", [[0xED, 0x95, 0x9C, 0xEA], [0xB5, 0xAD]], [.character("한"), .character("국")]),
    ]

    @Test(arguments: ways) func `Each way gives the keys that were pressed`(way: TerminalWay) {
        let scheduler = VirtualTimeScheduler()
        var keys: [Key] = []
        let decoder = KeyDecoder(escapeDelay: .milliseconds(30), scheduler: scheduler) { keys.append($0) }
        for piece in way.pieces {
            decoder.receive(piece)
            scheduler.advance(by: .seconds(1))
        }
        #expect(keys == way.keys)
    }
}
