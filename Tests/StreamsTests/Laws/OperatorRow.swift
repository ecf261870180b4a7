import StreamsTesting
import Testing

/// One operator, or one use of it, in the table that every law runs over.
struct OperatorRow: Sendable, CustomTestStringConvertible {
    /// What the laws have to know of an operator.
    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// An error of upstream is not passed on.
        static let handlesErrors = Traits(rawValue: 1)
        /// Several subscribers share one subscription to upstream.
        static let shares = Traits(rawValue: 2)
        /// The end of the upstreams is no end.
        static let endless = Traits(rawValue: 4)
        /// Sends every element of `source` on, once and in order.
        static let lossless = Traits(rawValue: 8)
        /// Takes nothing of `source`: a creation.
        static let ignoresSource = Traits(rawValue: 16)
        /// Subscribes to `source` more than once for one subscriber, or later than at the subscription.
        static let resubscribes = Traits(rawValue: 32)
        /// Ends by itself, before upstream does.
        static let endsEarly = Traits(rawValue: 64)
        /// Stays subscribed to `source` until that ends, also when nobody listens any more.
        static let staysConnected = Traits(rawValue: 128)
    }

    let name: String
    let traits: Traits
    let apply: @Sendable (Upstreams) -> Observable<Probed>

    init(_ name: String, _ traits: Traits = [], _ apply: @escaping @Sendable (Upstreams) -> Observable<Probed>) {
        self.name = name
        self.traits = traits
        self.apply = apply
    }

    var testDescription: String { name }
}

/// What an operator of the table is applied to.
struct Upstreams: Sendable {
    let source: Observable<Probed>
    let other: Observable<Probed>
    let user: UserCode
    let scheduler: any Scheduler
}

/// Lists rows one a line, each type-checked by itself.
@resultBuilder
enum RowBuilder {
    static func buildBlock(_ rows: OperatorRow...) -> [OperatorRow] { rows }
}

func rows(@RowBuilder _ build: () -> [OperatorRow]) -> [OperatorRow] {
    build()
}
