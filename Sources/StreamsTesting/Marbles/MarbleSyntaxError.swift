/// Says where a marble diagram is wrong, and why.
public struct MarbleSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why a diagram is wrong.
    public enum Reason: Equatable, Sendable {
        /// A character that stands for no element.
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

    /// Says that the character at `offset` of `diagram` is wrong because of `reason`.
    public init(diagram: String, offset: Int, reason: Reason) {
        self.diagram = diagram
        self.offset = offset
        self.reason = reason
    }

    /// Two lines: the diagram, and a caret under the place with the reason.
    public var description: String {
        "\(diagram)\n\(String(repeating: " ", count: offset))^ \(reason)"
    }
}

extension MarbleSyntaxError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownElement(let character): "'\(character)' stands for no element: name it in `values`"
        case .groupIsOpen: "this group has no ')'"
        case .groupIsNotOpen: "this ')' has no '('"
        case .nestedGroup: "a group cannot stand in a group"
        case .timeInGroup(let character): "'\(character)' cannot stand in a group, in which no time passes"
        case .afterTheEnd: "nothing can come after the end"
        case .misplacedMark(let character): "'\(character)' stands once, and '!' after '^'"
        }
    }
}
