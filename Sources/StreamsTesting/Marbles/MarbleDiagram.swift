/// A stream drawn as text, one column a tick: `--a--(bc)|`.
///
/// | character | means |
/// |---|---|
/// | `-` | a tick in which nothing happens |
/// | `a` | an element: what `values` names so, or what the character itself says (`String`, `Character`, a digit as `Int`) |
/// | `\|` | the completion |
/// | `#` | the error |
/// | `(ab\|)` | several events at the tick of the `(`; the group takes as many ticks as it has characters |
/// | `^` | the subscription, in a tick of its own |
/// | `!` | the disposal, in a tick of its own |
/// | space | nothing at all, for lining diagrams up |
///
/// So without spaces the column of an event is its tick, counted from 0.
/// Source: [RxJS, marble testing](https://rxjs.dev/guide/testing/marble-testing).
public struct MarbleDiagram<Element: Sendable>: Sendable {
    /// The events, in the order of their times.
    public let events: [Recorded<Element>]
    /// What `^` and `!` mark; nil without a `^`.
    public let subscription: SubscriptionInterval?

    /// Reads a diagram; throws a `MarbleSyntaxError` that says where it is wrong.
    public init(_ text: String, values: [Character: Element] = [:], error: any Error = TestError.failed) throws {
        var parser = MarbleParser(text, values: values, error: error)
        try parser.parse()
        events = parser.events
        subscription = parser.subscribed.map { SubscriptionInterval($0, parser.disposed) }
    }
}

/// A type whose elements a diagram shows by themselves.
public protocol MarbleElement {
    /// The element that `marble` shows; nil if it shows none.
    init?(marble: Character)
}

extension String: MarbleElement {
    public init?(marble: Character) {
        self = String(marble)
    }
}

extension Character: MarbleElement {
    public init?(marble: Character) {
        self = marble
    }
}

extension Int: MarbleElement {
    public init?(marble: Character) {
        guard marble.isASCII, let digit = marble.wholeNumberValue else { return nil }
        self = digit
    }
}
