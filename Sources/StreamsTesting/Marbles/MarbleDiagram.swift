extension Marble {
    /// A stream drawn as text, one column for each tick: `--a--(bc)|`.
    ///
    /// | character | means |
    /// |---|---|
    /// | `-` | a tick in which nothing happens |
    /// | `a` | an element: the value for that character in `values`, or the character itself (`String`, `Character`, a digit as `Int`) |
    /// | `\|` | the completion |
    /// | `#` | the error |
    /// | `(ab\|)` | several events at the tick of the `(`; the group takes as many ticks as it has characters |
    /// | `^` | the subscription, in a tick of its own |
    /// | `!` | the disposal, in a tick of its own |
    /// | space | nothing at all, for lining diagrams up |
    ///
    /// Without spaces, the column of an event is its tick, counted from 0.
    /// Source: [RxJS, marble testing](https://rxjs.dev/guide/testing/marble-testing).
    public struct Diagram<Element: Sendable>: Sendable {
        /// The events, in chronological order.
        public let events: [Recorded<Element>]
        /// The interval between `^` and `!`; `nil` without a `^`.
        public let subscription: TestScheduler.Subscription?

        /// Parses a diagram; throws a `Marble.SyntaxError` with the position of a mistake.
        public init(_ text: String, values: [Character: Element] = [:], error: any Error = TestError.failed) throws {
            var parser = MarbleParser(text, values: values, error: error)
            try parser.parse()
            events = parser.events
            subscription = parser.subscribed.map { TestScheduler.Subscription($0, parser.disposed) }
        }
    }

    /// A type whose elements can be written as single characters in a diagram.
    public protocol Element {
        /// Creates the element that `marble` denotes; `nil` if it denotes none.
        init?(marble: Character)
    }
}

extension String: Marble.Element {
    public init?(marble: Character) {
        self = String(marble)
    }
}

extension Character: Marble.Element {
    public init?(marble: Character) {
        self = marble
    }
}

extension Int: Marble.Element {
    public init?(marble: Character) {
        guard marble.isASCII, let digit = marble.wholeNumberValue else { return nil }
        self = digit
    }
}
