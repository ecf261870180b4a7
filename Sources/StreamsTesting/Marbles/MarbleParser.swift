/// Parses one diagram from left to right.
struct MarbleParser<Element: Sendable> {
    private(set) var events: [Recorded<Element>] = []
    private(set) var subscribed: Int?
    private(set) var disposed: Int?

    private let text: String
    private let values: [Character: Element]
    private let error: any Error
    private var tick = 0
    private var offset = 0
    private var group: (tick: Int, offset: Int)?
    private var hasEnded = false

    init(_ text: String, values: [Character: Element], error: any Error) {
        self.text = text
        self.values = values
        self.error = error
    }

    mutating func parse() throws {
        for character in text {
            try take(character)
            if character != " " { tick += 1 }
            offset += 1
        }
        if let group { throw wrong(.groupIsOpen, at: group.offset) }
    }

    private mutating func take(_ character: Character) throws {
        switch character {
        case " ": break
        case "-": try expectNoGroup(character)
        case "^", "!":
            try expectNoGroup(character)
            try mark(character)
        case "(":
            guard group == nil else { throw wrong(.nestedGroup) }
            group = (tick, offset)
        case ")":
            guard group != nil else { throw wrong(.groupIsNotOpen) }
            group = nil
        case "|": try add(.completed)
        case "#": try add(.error(error))
        default: try add(.next(element(character)))
        }
    }

    private mutating func mark(_ character: Character) throws {
        guard disposed == nil, (character == "^") == (subscribed == nil) else { throw wrong(.misplacedMark(character)) }
        if character == "^" { subscribed = tick } else { disposed = tick }
    }

    private mutating func add(_ event: Event<Element>) throws {
        guard !hasEnded else { throw wrong(.afterTheEnd) }
        hasEnded = event.isStopEvent
        events.append(Recorded(time: TestScheduler.tick * (group?.tick ?? tick), event: event))
    }

    private func element(_ character: Character) throws -> Element {
        if let value = values[character] { return value }
        guard let element = (Element.self as? any Marble.Element.Type)?.init(marble: character) as? Element else {
            throw wrong(.unknownElement(character))
        }
        return element
    }

    private func expectNoGroup(_ character: Character) throws {
        guard group == nil else { throw wrong(.timeInGroup(character)) }
    }

    private func wrong(_ reason: Marble.SyntaxError.Reason, at place: Int? = nil) -> Marble.SyntaxError {
        Marble.SyntaxError(diagram: text, offset: place ?? offset, reason: reason)
    }
}

extension Marble {
    /// The position of a mistake in a marble diagram, and the reason.
    public struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
        /// The reason why a diagram is wrong.
        public enum Reason: Equatable, Sendable {
            /// A character that denotes no element.
            case unknownElement(Character)
            /// A group without its `)`.
            case groupIsOpen
            /// A `)` without its group.
            case groupIsNotOpen
            /// A group inside a group.
            case nestedGroup
            /// `-`, `^` or `!` inside a group, in which no time passes.
            case timeInGroup(Character)
            /// An event after `|` or `#`.
            case afterTheEnd
            /// A second `^` or `!`, or a `!` before the `^`.
            case misplacedMark(Character)
        }

        /// The diagram.
        public let diagram: String
        /// The offset of the wrong character, counted in characters.
        public let offset: Int
        /// The reason for the mistake.
        public let reason: Reason

        /// Creates an error for the character at `offset` of `diagram`.
        public init(diagram: String, offset: Int, reason: Reason) {
            self.diagram = diagram
            self.offset = offset
            self.reason = reason
        }

        /// Three lines: a heading, which follows the introduction of an error; the diagram; and a caret below the mistake, with the reason.
        public var description: String {
            let indentation = diagram.prefix(offset).map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns) }.joined()
            return "the marble diagram is wrong\n\(diagram)\n\(indentation)^ \(reason)"
        }
    }
}

extension Character {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    /// The number of columns that the text occupies in a terminal.
    ///
    /// Source: [UAX 11, East Asian Width](https://www.unicode.org/reports/tr11/).
    fileprivate var columns: Int {
        let isWide = unicodeScalars.contains { scalar in
            scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F || Self.wide.contains { $0.contains(scalar.value) }
        }
        if isWide { return 2 }
        let hasBase = unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: false
            default: true
            }
        }
        return hasBase ? 1 : 0
    }
}

extension Marble.SyntaxError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownElement(let character): "'\(character)' denotes no element: name it in `values`"
        case .groupIsOpen: "this group has no ')'"
        case .groupIsNotOpen: "this ')' has no '('"
        case .nestedGroup: "a group is not allowed inside a group"
        case .timeInGroup(let character): "'\(character)' is not allowed in a group, in which no time passes"
        case .afterTheEnd: "no event is allowed after the terminal event"
        case .misplacedMark(let character): "'\(character)' is allowed once, and '!' only after '^'"
        }
    }
}
