extension Key {
    /// A line of the help: keys that belong together, what each does, and what the line says about them.
    public struct Binding<Action: Sendable>: Sendable {
        /// The keys and their actions; empty for a line that only explains something.
        public let actions: [(key: Key, action: Action)]
        /// The keys as the help names them.
        public let label: String
        /// The effect of the keys, as the help says it.
        public let help: String
        /// The hint in the footer; `nil` for keys that only the help names.
        public var hint: Hint?

        /// Creates a line of keys with an action each.
        ///
        /// - Parameters:
        ///   - help: what the keys do, as the help says it.
        ///   - actions: the keys, with the action of each.
        ///   - label: the keys as the help names them; by default ``Key/label`` of each, without what occurs twice.
        ///   - hint: what the footer shows; `nil` if it leaves the line out.
        public init(_ help: String, _ actions: KeyValuePairs<Key, Action>, label: String? = nil, hint: Hint? = nil) {
            self.actions = actions.map { ($0.key, $0.value) }
            self.label = label ?? actions.map(\.key.label).joined(separator: "  ")
            self.help = help
            self.hint = hint
        }

        /// Creates a line of keys with the same action.
        public init(_ help: String, _ keys: Key..., label: String? = nil, hint: Hint? = nil, action: Action) {
            actions = keys.map { ($0, action) }
            self.label = label ?? keys.map(\.label).joined(separator: "  ")
            self.help = help
            self.hint = hint
        }

        /// Creates a line that explains something which is no key.
        public init(_ help: String, label: String) {
            (actions, self.label, self.help, hint) = ([], label, help, nil)
        }

        var hintLabel: String { hint?.key ?? actions.first?.key.label ?? label }
    }

    /// A hint in the footer of a screen: `q quit`.
    public struct Hint: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The effect of the key, in one word.
        public let name: String
        /// The key as the footer names it; `nil` for the label of the first key.
        public let key: String?
        /// The importance: where the footer is narrow, the hints of the lowest rank stay.
        public let rank: Int

        /// Creates a hint.
        public init(_ name: String, key: String? = nil, rank: Int = 0) {
            (self.name, self.key, self.rank) = (name, key, rank)
        }

        public init(stringLiteral name: String) { self.init(name) }
    }

    /// The keys of a screen in one table: what a key does, the help, and the footer are made of it.
    ///
    /// If a key occurs twice, its first action is taken.
    public struct Bindings<Action: Sendable>: Sendable, ExpressibleByArrayLiteral {
        /// A line of the table.
        public typealias Line = Binding<Action>

        /// The lines, in the order of the help.
        public let lines: [Binding<Action>]
        private let actions: [Key: Action]

        /// Creates a table.
        public init(_ lines: [Binding<Action>]) {
            self.lines = lines
            actions = Dictionary(lines.flatMap(\.actions).map { ($0.key, $0.action) }) { first, _ in first }
        }

        public init(arrayLiteral lines: Binding<Action>...) { self.init(lines) }

        /// The action of a key; `nil` for a key that is not in the table.
        public subscript(key: Key) -> Action? { actions[key] }

        /// The help: a line for each binding, what it does below each other.
        public func help(keys: Style = .bold, style: Style = .plain) -> StyledText {
            let width = lines.map { TerminalText.width(of: $0.label) }.max() ?? 0
            return lines.enumerated().reduce("") { text, line in
                let label = StyledText(TerminalText.padded(line.element.label, to: width + 2), keys)
                return (line.offset == 0 ? text : text + "\n") + label + StyledText(line.element.help, style)
            }
        }

        /// The hints of the footer that fit into `width` columns, in the order of the help. Those of the lowest rank stay.
        public func hints(in width: Int, keys: Style = .bold, style: Style = .plain) -> StyledText {
            let hinted = lines.enumerated().filter { $0.element.hint != nil }
            var left = width
            let fitting = hinted.sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.prefix { line in
                left -= line.element.hintWidth + Self.gap
                // No gap follows the last hint.
                return left >= 1 - Self.gap
            }
            return fitting.sorted { $0.offset < $1.offset }.reduce("") { text, line in
                guard let hint = line.element.hint else { return text }
                let gap = String(repeating: " ", count: text.spans.isEmpty ? 1 : Self.gap)
                return text + StyledText(gap) + StyledText(line.element.hintLabel, keys) + StyledText(" \(hint.name)", style)
            }
        }

        /// The columns between two hints.
        private static var gap: Int { 2 }
    }
}

extension Key.Binding {
    fileprivate var rank: Int { hint?.rank ?? 0 }
    fileprivate var hintWidth: Int { TerminalText.width(of: hintLabel) + 1 + TerminalText.width(of: hint?.name ?? "") }
}

extension Key {
    /// The key as a help names it: `↑`, `^W`, `PgUp`, `Enter`, `q`.
    public var label: String {
        let named = { (name: String) in
            let held: [(Modifiers, String)] = [
                (.control, "Ctrl-"), (.alt, "Alt-"), (.super, "Super-"), (.hyper, "Hyper-"), (.meta, "Meta-"), (.shift, "Shift-"),
            ]
            return held.filter { modifiers.contains($0.0) }.map(\.1).joined() + name
        }
        return switch code {
        case .character(let letter) where modifiers == .control && letter != " ": "^\(letter.uppercased())"
        case .character(" "): named("Space")
        case .character(let letter): named(String(letter))
        case .up: named("↑")
        case .down: named("↓")
        case .left: named("←")
        case .right: named("→")
        case .pageUp: named("PgUp")
        case .pageDown: named("PgDn")
        case .escape: named("Esc")
        case .function(let number): named("F\(number)")
        case .paste, .mouse: description
        default: named("\(code)".capitalized)
        }
    }
}
