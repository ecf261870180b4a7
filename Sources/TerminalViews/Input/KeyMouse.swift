extension Key {
    /// A click or a turn of the wheel, at a cell of the screen.
    ///
    /// A terminal reports mouse events if it was entered with ``Terminal/enter(reportsMouse:)``. They arrive as keys, ``Key/mouse``, so
    /// that a view's `handle(_:)` takes both.
    public struct Mouse: Hashable, Sendable {
        /// The action.
        public let action: MouseAction
        /// The cell, relative to the corner of the screen.
        public let position: Point
        /// The keys that were held with it.
        public let modifiers: Key.Modifiers

        /// Creates an action of the mouse.
        public init(_ action: MouseAction, at position: Point, _ modifiers: Key.Modifiers = []) {
            self.action = action
            self.position = position
            self.modifiers = modifiers
        }
    }

    /// A button of the mouse.
    public enum MouseButton: Hashable, Sendable {
        /// The buttons that terminals distinguish.
        case left, middle, right
    }

    /// An action with a mouse.
    public enum MouseAction: Hashable, Sendable {
        /// A button was pressed.
        case press(MouseButton)
        /// A button was released; the terminal does not say which.
        case release
        /// One step of the wheel.
        case wheelUp, wheelDown
    }
}

extension Key.Mouse {
    /// Parses the parameters of `ESC [ <`: the button with its modifiers, the column and the row, both counted from 1. Returns `nil` for a
    /// report of a mere movement.
    ///
    /// Source: [XTerm control sequences, SGR mouse](https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Extended-coordinates).
    init?(parameters numbers: [Int], final: UInt8) {
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0, let action = Self.action(numbers[0], final: final) else { return nil }
        self.init(action, at: Point(x: numbers[1] - 1, y: numbers[2] - 1), Key.Modifiers(rawValue: numbers[0] >> 2 & 7))
    }

    /// Parses the three bytes after `ESC [ M`, with which terminals report a click if they do not know `ESC [ <`. Each byte has 32 added,
    /// and a release does not tell the button. Returns `nil` also for a place that a byte cannot express.
    init?(bytes: [UInt8]) {
        guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let numbers = bytes.map { Int($0) - 32 }
        let isRelease = numbers[0] & 67 == 3
        self.init(
            parameters: [isRelease ? numbers[0] - 3 : numbers[0], numbers[1], numbers[2]], final: UInt8(ascii: isRelease ? "m" : "M"))
    }

    private static func action(_ code: Int, final: UInt8) -> Key.MouseAction? {
        let isRelease = final == UInt8(ascii: "m")
        guard isRelease || final == UInt8(ascii: "M") else { return nil }
        switch code & ~(7 << 2) {
        case 0...2 where isRelease: return .release
        case 0: return .press(.left)
        case 1: return .press(.middle)
        case 2: return .press(.right)
        case 64: return .wheelUp
        case 65: return .wheelDown
        default: return nil
        }
    }
}
