/// The position of a mistake in a marble diagram, and the reason.
public struct MarbleSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why a diagram is wrong.
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
    /// What is wrong with it.
    public let reason: Reason

    /// Creates an error for the character at `offset` of `diagram`.
    public init(diagram: String, offset: Int, reason: Reason) {
        self.diagram = diagram
        self.offset = offset
        self.reason = reason
    }

    /// Two lines: the diagram, and a caret below the mistake with the reason.
    public var description: String {
        "\(diagram)\n\(String(repeating: " ", count: offset))^ \(reason)"
    }
}

extension MarbleSyntaxError.Reason: CustomStringConvertible {
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
