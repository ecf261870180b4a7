import StreamsTesting
import TerminalViews
import Testing

/// Keys that arrive in pieces, with an hour of virtual time between two of them.
@MainActor
@Suite("A key that arrives slowly is that key", .countsResources)
struct SlowKeyTests {
    /// The keys of the pieces, and of what is left when the input ends.
    private func keys(_ pieces: [some Collection<UInt8>]) -> [Key] {
        let scheduler = VirtualTimeScheduler()
        var keys: [Key] = []
        let decoder = KeyDecoder(escapeDelay: .milliseconds(30), scheduler: scheduler) { keys.append($0) }
        for piece in pieces {
            decoder.receive(Array(piece))
            scheduler.advance(by: .seconds(3600))
        }
        decoder.finish()
        return keys
    }

    private func keys(_ text: String, cutAt cut: Int) -> [Key] {
        keys([text.utf8.prefix(cut), text.utf8.dropFirst(cut)])
    }

    /// The beginnings that are keys by themselves.
    private static let lone: Set = ["\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}\u{1B}", "\u{1B}\u{1B}[", "\u{1B}\u{1B}O"]

    /// The places at which a text can be cut so that its beginning is no key.
    private func cuts(_ text: String) -> [Int] {
        (1..<max(1, text.utf8.count)).filter { cut in
            String(bytes: text.utf8.prefix(cut), encoding: .utf8).map { !Self.lone.contains($0) } ?? true
        }
    }

    @Test(arguments: KeyTable.keys) func `Each key is the same wherever it is cut`(typed: Typed, key: Key) {
        for cut in cuts(typed.text) { #expect(keys(typed.text, cutAt: cut) == [key], "cut at \(cut)") }
    }

    @Test(arguments: KeyTable.others) func `What is no key is none wherever it is cut`(typed: Typed) {
        for cut in cuts(typed.text) { #expect(keys(typed.text + "q", cutAt: cut) == [.character("q")], "cut at \(cut)") }
    }

    @Test(
        arguments: [
            // The rest that comes in one piece is the rest.
            (["\u{1B}", "[A"], [.escape, .up]), (["\u{1B}", "[1;5C"], [.escape, Key(.right, .control)]),
            (["\u{1B}", "[<0;3;4M"], [.escape, .mouse(.press(.left), at: Point(x: 2, y: 3))]),
            (["\u{1B}", "[[A"], [.escape, .function(1)]), (["\u{1B}", "[5$"], [.escape, Key(.pageUp, .shift)]),
            (["\u{1B}", "[M !!"], [.escape, .mouse(.press(.left), at: .zero)]), (["\u{1B}\u{1B}", "[A"], [.escape, .escape, .up]),
            (["\u{1B}[", "3~"], [.alt("["), .delete]), (["\u{1B}[", "<64;1;1M"], [.alt("["), .mouse(.wheelUp, at: .zero)]),
            (["\u{1B}", "[12", ";40R"], [.escape]), (["\u{1B}", "[3", "~"], [.escape, .delete]),
            // One byte alone was typed.
            (["\u{1B}", "x"], [.escape, .character("x")]), (["\u{1B}", "[", "A"], [.escape, .character("["), .character("A")]),
            (["\u{1B}[", "A"], [.alt("["), .character("A")]), (["\u{1B}[", "3", "~"], [.alt("["), .character("3"), .character("~")]),
            (["\u{1B}O", "P"], [.alt("O"), .character("P")]), (["\u{1B}", "O", "k"], [.escape, .character("O"), .character("k")]),
            // Letters that an answer begins with, and those that a sequence does not continue with, were typed.
            (["\u{1B}", "Ok"], [.escape, .character("O"), .character("k")]),
            (["\u{1B}", "]x"], [.escape, .character("]"), .character("x")]),
            (["\u{1B}[", "x"], [.alt("["), .character("x")]), (["\u{1B}", "[\u{3}"], [.escape, .character("["), .control("c")]),
            (["\u{1B}", "[\u{1B}[B"], [.escape, .character("["), .down]), (["\u{1B}", "\u{1B}[B"], [.escape, .down]),
            (["\u{1B}", "日"], [.escape, .character("日")]), (["\u{1B}", "[日"], [.escape, .character("["), .character("日")]),
        ] as [([Typed], [Key])])
    func `What was a key when its rest was late stays one`(pieces: [Typed], expected: [Key]) {
        #expect(keys(pieces.map(\.text.utf8)) == expected)
    }

    @Test(arguments: ["q", "\u{1B}q", "日q", "[200~q", "q\u{3}q"] as [Typed])
    func `Pasted text is never a key, wherever its paste is cut, once or twice`(text: Typed) {
        let paste = Array("\u{1B}[200~\(text.text)\u{1B}[201~".utf8)
        for first in 1..<paste.count {
            for second in first..<paste.count {
                // A Ctrl-C alone between two silences is one that was typed.
                guard Array(paste[first..<second]) != [0x03] else { continue }
                let keys = keys([paste[..<first], paste[first..<second], paste[second...]].filter { !$0.isEmpty })
                #expect(keys.last == .paste(text.text), "cut at \(first) and \(second)")
                #expect(keys.dropLast().allSatisfy { $0 == .escape || $0 == .alt("[") || "[200".contains($0.typed ?? "q") })
            }
        }
    }

    @Test func `A paste whose bytes come one by one is a paste`() {
        let keys = keys("\u{1B}[200~q\u{1B}[201~q".utf8.map { [$0] })
        #expect(keys == [.escape] + "[200".map { .character($0) } + [.paste("q"), .character("q")])
    }

    @Test func `Only what is a key by itself starts a timer, and it ends with the delay`() {
        let scheduler = VirtualTimeScheduler()
        var keys: [Key] = []
        let decoder = KeyDecoder(escapeDelay: .milliseconds(30), scheduler: scheduler) { keys.append($0) }
        decoder.receive(Array("\u{1B}[1".utf8))
        #expect(scheduler.isIdle)
        decoder.receive(Array("A\u{1B}".utf8))
        scheduler.advance(by: .milliseconds(29))
        #expect(keys == [.up])
        scheduler.advance(by: .milliseconds(1))
        #expect(keys == [.up, .escape])
        #expect(scheduler.isIdle)
    }
}
