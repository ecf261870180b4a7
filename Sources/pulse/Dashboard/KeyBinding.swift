import TerminalViews

/// The keys of the dashboard, with their texts in the help and the footer.
struct KeyBinding: Sendable {
    let keys: String
    let meaning: String
    /// The name in the footer; `nil` for a key that appears only in the help.
    var hint: (key: String, name: String)?
    /// The name in the footer while the details fill the screen.
    var detailHint: (key: String, name: String)?

    /// The keys of every dashboard.
    static let all: [KeyBinding] = [
        KeyBinding(keys: "↑ ↓  k j", meaning: "select the row above, below", hint: ("↑↓", "select"), detailHint: ("↑↓", "select")),
        KeyBinding(keys: "PgUp PgDn  ^B ^F", meaning: "select a page above, below"),
        KeyBinding(keys: "Home End  g G", meaning: "select the first, the last row"),
        KeyBinding(
            keys: "Enter", meaning: "details on the whole screen, and back", hint: ("enter", "details"), detailHint: ("enter", "back")),
        KeyBinding(keys: "Tab  h l", meaning: "turn the page of the details", detailHint: ("tab", "page")),
        KeyBinding(keys: "Space  p", meaning: "pause, resume", hint: ("space", "pause"), detailHint: ("space", "pause")),
        KeyBinding(keys: "r", meaning: "refresh now", hint: ("r", "refresh"), detailHint: ("r", "refresh")),
        KeyBinding(keys: "s  S", meaning: "sort by the next column, reverse the order", hint: ("s", "sort")),
        KeyBinding(keys: "/", meaning: "filter; enter keeps it, esc clears it", hint: ("/", "filter")),
        KeyBinding(keys: "  ^W  ^U", meaning: "in the filter: delete a word, everything"),
        KeyBinding(keys: "click, wheel", meaning: "select a row, sort by a title, scroll"),
        KeyBinding(keys: "○  ●", meaning: "at the top: idle, a request is in progress"),
        KeyBinding(keys: "^L", meaning: "redraw"),
        KeyBinding(keys: "^Z", meaning: "suspend, until the shell's fg"),
        KeyBinding(
            keys: "?  F1", meaning: "this help: arrows scroll it, esc closes it", hint: ("?", "help"), detailHint: ("?", "help")),
        KeyBinding(keys: "q  ^C", meaning: "quit", hint: ("q", "quit"), detailHint: ("q", "quit")),
    ]

    /// The hints in the order of their importance: when the footer is narrow, the first ones stay.
    private static let importance = ["q", "?", "/", "enter", "tab", "space", "s", "r", "↑↓"]

    /// The keys of a dashboard that has commands of its own.
    static func all(with commands: [KeyBinding]) -> [KeyBinding] {
        guard let place = all.firstIndex(where: { $0.keys == "/" }) else { return all }
        return all[..<place] + commands + all[place...]
    }

    /// The width at which only the hint for quitting fits.
    static let widthOfQuit = 7

    static func help(faint: Style, commands: [KeyBinding] = []) -> StyledText {
        let all = all(with: commands)
        let width = all.map { TerminalText.width(of: $0.keys) }.max() ?? 0
        return all.enumerated().reduce("") { text, line in
            let keys = StyledText(TerminalText.padded(line.element.keys, to: width + 2), .bold)
            return (line.offset == 0 ? text : text + "\n") + keys + StyledText(line.element.meaning, faint)
        }
    }

    /// Returns the hints that fit into `width`, in the order of the help.
    static func hints(in width: Int, isDetailOnly: Bool = false, faint: Style, commands: [KeyBinding] = []) -> StyledText {
        let hints = all(with: commands).compactMap { isDetailOnly ? $0.detailHint : $0.hint }
        let importance = importance + commands.compactMap { $0.hint?.key }
        var left = width
        let fitting = importance.compactMap { key in hints.first { $0.key == key } }.prefix { hint in
            left -= TerminalText.width(of: hint.key) + hint.name.count + 3
            return left >= -1
        }
        let shown = Set(fitting.map(\.key))
        return hints.filter { shown.contains($0.key) }.reduce("") { text, hint in
            text + (text.spans.isEmpty ? " " : "  ") + StyledText(hint.key, .bold) + StyledText(" \(hint.name)", faint)
        }
    }
}
