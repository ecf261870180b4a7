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
        guard let element = (Element.self as? any MarbleElement.Type)?.init(marble: character) as? Element else {
            throw wrong(.unknownElement(character))
        }
        return element
    }

    private func expectNoGroup(_ character: Character) throws {
        guard group == nil else { throw wrong(.timeInGroup(character)) }
    }

    private func wrong(_ reason: MarbleSyntaxError.Reason, at place: Int? = nil) -> MarbleSyntaxError {
        MarbleSyntaxError(diagram: text, offset: place ?? offset, reason: reason)
    }
}
