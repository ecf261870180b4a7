import TerminalViews
import Testing

/// Text whose description is safe to print in a test's log.
struct Typed: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.init(text) }

    var testDescription: String { text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
}

/// The sequences that are keys, and those that are none.
enum KeyTable {
    static let keys: [(Typed, Key)] = [
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
        ("\u{1B}[<20;1;1M", Key(.mouse(Key.Mouse(.press(.left), at: .zero, [.shift, .control])), [.shift, .control])),
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
        ("\u{1B}[M2!!", Key(.mouse(Key.Mouse(.press(.right), at: .zero, .control)), .control)),
        // Keys of kitty, foot and WezTerm.
        ("\u{1B}[97;9u", Key(.character("a"), .super)), ("\u{1B}[97;17u", Key(.character("a"), .hyper)),
        ("\u{1B}[97;33u", Key(.character("a"), .meta)), ("\u{1B}[97;41u", Key(.character("a"), [.super, .meta])),
        ("\u{1B}[1;9A", Key(.up, .super)), ("\u{1B}[3;33~", Key(.delete, .meta)), ("\u{1B}[97;65u", .character("a")),
        ("\u{1B}[97;129u", .character("a")), ("\u{1B}[99;197u", .control("c")), ("\u{1B}[97;2u", .character("A")),
        ("\u{1B}[65;2u", .character("A")), ("\u{1B}[49;2u", Key(.character("1"), .shift)), ("\u{1B}[223;2u", Key(.character("ß"), .shift)),
        ("\u{1B}[97;1:1u", .character("a")), ("\u{1B}[97;5:2u", .control("a")), ("\u{1B}[1;1:2B", .down),
        ("\u{1B}[97:65;1;97u", .character("a")),
        ("\u{1B}[1089::99;5u", Key(.character("с"), .control)), ("\u{1B}[13;2u", Key(.enter, .shift)), ("\u{1B}[9;5u", Key(.tab, .control)),
        ("\u{1B}[127;3u", Key(.backspace, .alt)), ("\u{1B}[27;3u", Key(.escape, .alt)),
        ("\u{1B}[57376u", .function(13)), ("\u{1B}[57398;2u", Key(.function(35), .shift)), ("\u{1B}[57399u", .character("0")),
        ("\u{1B}[57408;129u", .character("9")), ("\u{1B}[57409u", .character(".")), ("\u{1B}[57410u", .character("/")),
        ("\u{1B}[57411u", .character("*")), ("\u{1B}[57412u", .character("-")), ("\u{1B}[57413u", .character("+")),
        ("\u{1B}[57414u", .enter), ("\u{1B}[57415u", .character("=")), ("\u{1B}[57416u", .character(",")), ("\u{1B}[57417u", .left),
        ("\u{1B}[57418u", .right), ("\u{1B}[57419;5u", Key(.up, .control)), ("\u{1B}[57420u", .down), ("\u{1B}[57421u", .pageUp),
        ("\u{1B}[57422u", .pageDown), ("\u{1B}[57423u", .home), ("\u{1B}[57424u", .end), ("\u{1B}[57425u", Key(.insert)),
        ("\u{1B}[57426u", .delete),
        // xterm with modifyOtherKeys, and tmux with extended keys.
        ("\u{1B}[27;5;97~", .control("a")), ("\u{1B}[27;2;13~", Key(.enter, .shift)),
        ("\u{1B}[27;6;65~", Key(.character("A"), [.control, .shift])),
        ("\u{1B}[25~", .function(13)), ("\u{1B}[34~", .function(20)),
        // A character for private use that was typed is one.
        ("\u{E0B0}", .character("\u{E0B0}")),
        ("\u{1B}[200~sS?q\r\u{1B}[A\u{3}日\u{1B}[201~", .paste("sS?q\r\u{1B}[A\u{3}日")),
    ]

    /// No keys: answers of a terminal, keys without a meaning here, and nonsense.
    static let others: [Typed] = [
        "\u{1B}[12;40R", "\u{1B}[?1;2c", "\u{1B}[<35;3;4M", "\u{1B}[<0;0;4M", "\u{1B}[<0;3M", "\u{1B}[<0;3;4X",
        "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]0;title\u{1B}\\",
        "\u{1B}P+q\u{1B}\\",
        "\u{1B}[99999999999~", "\u{1B}[201~", "\u{1B}[1;2;3;4A", Typed("\u{1B}[" + String(repeating: "1;", count: 500) + "A"),
        "\u{1B}[[Z", "\u{85}", "\u{1B}[?2026;2$y", "\u{1B}[M@!!", "\u{1B}[MC!!", "\u{1B}[M \0!", "\u{1B}[M  !",
        // A released key, and those that are neither characters nor keys of their own: locks, Print, media, volume, modifiers.
        "\u{1B}[97;1:3u", "\u{1B}[1;5:3A", "\u{1B}[3;1:3~", "\u{1B}[57399;1:3u", "\u{1B}[57344u", "\u{1B}[57358u", "\u{1B}[57361u",
        "\u{1B}[57363u", "\u{1B}[57375u", "\u{1B}[57427u", "\u{1B}[57428u", "\u{1B}[57440u", "\u{1B}[57441;2u", "\u{1B}[57454u",
        "\u{1B}[58000u", "\u{1B}[63743u", "\u{1B}[57427~", "\u{1B}[1;1E", "\u{1B}[27;5;57441~", "\u{1B}[55296u", "\u{1B}[1114112u",
        "\u{1B}[97:;:3u", "\u{1B}[:u", "\u{1B}[u", "\u{1B}[;5u", "\u{1B}[97::::::::::x",
    ]
}
