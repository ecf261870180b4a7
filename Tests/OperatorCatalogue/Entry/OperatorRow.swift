import Streams
import StreamsTesting

/// One operator, or one use of it, in the table over which every law runs.
public struct OperatorRow: Sendable, CustomStringConvertible {
    /// The traits of an operator that the laws must know.
    public struct Traits: OptionSet, Sendable {
        public let rawValue: Int

        /// The operator does not forward an error of upstream.
        public static let handlesErrors = Traits(rawValue: 1)
        /// Several subscribers share one subscription to upstream.
        public static let shares = Traits(rawValue: 2)
        /// The end of the upstreams does not end the operator.
        public static let endless = Traits(rawValue: 4)
        /// The operator forwards every element of `source`, once and in order.
        public static let lossless = Traits(rawValue: 8)
        /// The operator takes nothing from `source`: it is a creation.
        public static let ignoresSource = Traits(rawValue: 16)
        /// The operator subscribes to `source` more than once for one subscriber, or later than at the subscription.
        public static let resubscribes = Traits(rawValue: 32)
        /// The operator ends by itself, before upstream does.
        public static let endsEarly = Traits(rawValue: 64)
        /// The operator stays subscribed to `source` until that terminates, even without a subscriber.
        public static let staysConnected = Traits(rawValue: 128)
        /// An error waits for the end of all upstreams.
        public static let delaysErrors = Traits(rawValue: 256)
        /// The operator ends suspension: `source` is not suspended with downstream.
        public static let hot = Traits(rawValue: 512)
        /// The emitted elements, or their order, depend on the times at which elements arrive.
        public static let dependsOnTime = Traits(rawValue: 1024)

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The treatment of `source` while the consumer is suspended.
    public enum Flow: Sendable, Hashable {
        /// The source is suspended with the consumer.
        case passes
        /// The operator is a boundary, which keeps this many elements before it suspends the source.
        case keeps(Int)
        /// The source is not suspended.
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

/// The upstreams to which an operator of the table is applied.
public struct Upstreams: Sendable {
    public let source: Observable<Probed>
    public let other: Observable<Probed>
    public let user: UserCode
    public let scheduler: any Scheduler

    public init(source: Observable<Probed>, other: Observable<Probed>, user: UserCode, scheduler: any Scheduler) {
        (self.source, self.other, self.user, self.scheduler) = (source, other, user, scheduler)
    }
}
