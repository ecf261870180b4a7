extension TextField {
    /// One line of text with a cursor, which keys edit: a value, without a view.
    ///
    /// These keys edit it:
    ///
    /// - Characters and pastes insert.
    /// - Backspace, delete, Ctrl-W and Alt-Backspace (the word before the cursor), Ctrl-U (everything before it) and Ctrl-K (everything
    ///   after it) remove.
    /// - Left, right, home, end, Ctrl-A and Ctrl-E move the cursor.
    ///
    /// A ``TextField`` shows the text.
    public struct Input: Hashable, Sendable {
        /// The text.
        public private(set) var text: String
        /// The number of characters before the cursor.
        public private(set) var cursor: Int
        /// The maximum number of characters. The bytes are limited to four times as many, because a character can have any number of marks.
        public let limit: Int

        /// Creates a text with the cursor at its end.
        public init(_ text: String = "", limit: Int = 1000) {
            self.text = ""
            self.cursor = 0
            self.limit = max(0, limit)
            insert(text)
        }

        /// Edits the text.
        /// - Returns: whether the key edits the text. O(n).
        @discardableResult
        public mutating func handle(_ key: Key) -> Bool {
            switch key {
            case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
            case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
            case .control("w"), Key(.backspace, .alt): remove(from: wordStart, to: cursor)
            case .control("u"): remove(from: 0, to: cursor)
            case .control("k"): remove(from: cursor, to: text.count)
            case .left, .control("b"): cursor = max(0, cursor - 1)
            case .right, .control("f"): cursor = min(text.count, cursor + 1)
            case .home, .control("a"): cursor = 0
            case .end, .control("e"): cursor = text.count
            default: return type(key)
            }
            return true
        }

        private mutating func type(_ key: Key) -> Bool {
            guard let typed = key.pasted ?? key.typed.map(String.init) else { return false }
            insert(typed)
            return true
        }

        /// Inserts text on one line: control characters become spaces.
        private mutating func insert(_ more: String) {
            for scalar in more.unicodeScalars {
                guard text.count < limit || scalar.properties.isGraphemeExtend, text.utf8.count < limit * 4 else { return }
                let before = text.count
                let character = scalar.isControl ? " " : Character(scalar)
                text.insert(character, at: text.index(text.startIndex, offsetBy: cursor))
                // A combining mark joins the character before it.
                cursor += text.count - before
            }
        }

        private mutating func remove(from start: Int, to end: Int) {
            let range = max(0, start)..<min(max(0, end), text.count)
            guard !range.isEmpty else { return }
            text.removeSubrange(
                text.index(text.startIndex, offsetBy: range.lowerBound)..<text.index(text.startIndex, offsetBy: range.upperBound))
            cursor = range.lowerBound
        }

        /// The beginning of the word before the cursor, in the sense of shells: blanks, and before them characters that are not blank.
        private var wordStart: Int {
            let before = text.prefix(cursor).reversed().drop(while: \.isBlank)
            return before.drop { !$0.isBlank }.count
        }
    }
}
