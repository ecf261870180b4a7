import StreamsTesting

/// One operator, or one use of it, in the table that every law runs over.
public struct OperatorRow: Sendable, CustomStringConvertible {
    /// What the laws have to know of an operator.
    public struct Traits: OptionSet, Sendable {
        public let rawValue: Int

        /// An error of upstream is not passed on.
        public static let handlesErrors = Traits(rawValue: 1)
        /// Several subscribers share one subscription to upstream.
        public static let shares = Traits(rawValue: 2)
        /// The end of the upstreams is no end.
        public static let endless = Traits(rawValue: 4)
        /// Sends every element of `source` on, once and in order.
        public static let lossless = Traits(rawValue: 8)
        /// Takes nothing of `source`: a creation.
        public static let ignoresSource = Traits(rawValue: 16)
        /// Subscribes to `source` more than once for one subscriber, or later than at the subscription.
        public static let resubscribes = Traits(rawValue: 32)
        /// Ends by itself, before upstream does.
        public static let endsEarly = Traits(rawValue: 64)
        /// Stays subscribed to `source` until that terminates, also without a subscriber.
        public static let staysConnected = Traits(rawValue: 128)
        /// An error waits for the end of all upstreams.
        public static let delaysErrors = Traits(rawValue: 256)
        /// Ends suspension: `source` is not suspended with downstream.
        public static let hot = Traits(rawValue: 512)
        /// Which elements it emits, or in which order, depends on when they arrive.
        public static let dependsOnTime = Traits(rawValue: 1024)

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// What becomes of `source` while the consumer is suspended.
    public enum Flow: Sendable, Hashable {
        /// It is suspended with the consumer.
        case passes
        /// The operator is a boundary, which keeps so many elements before it suspends the source.
        case keeps(Int)
        /// It is not suspended.
        case hot
    }

    public internal(set) var name: String
    public let traits: Traits
    public let flow: Flow
    public let apply: @Sendable (Upstreams) -> Observable<Probed>

    public init(
        _ name: String, _ traits: Traits = [], keeps bound: Int = 0, _ apply: @escaping @Sendable (Upstreams) -> Observable<Probed>
    ) {
        self.name = name
        self.traits = traits
        flow = traits.isDisjoint(with: [.hot, .shares]) ? bound == 0 ? .passes : .keeps(bound) : .hot
        self.apply = apply
    }

    public var description: String { name }
}

/// What an operator of the table is applied to.
public struct Upstreams: Sendable {
    public let source: Observable<Probed>
    public let other: Observable<Probed>
    public let user: UserCode
    public let scheduler: any Scheduler

    public init(source: Observable<Probed>, other: Observable<Probed>, user: UserCode, scheduler: any Scheduler) {
        (self.source, self.other, self.user, self.scheduler) = (source, other, user, scheduler)
    }
}
