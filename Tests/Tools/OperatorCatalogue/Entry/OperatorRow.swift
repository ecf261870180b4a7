import StreamsTesting

/// One operator, or one use of it, in the table that every law runs over.
package struct OperatorRow: Sendable, CustomStringConvertible {
    /// What the laws have to know of an operator.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int

        /// An error of upstream is not passed on.
        package static let handlesErrors = Traits(rawValue: 1)
        /// Several subscribers share one subscription to upstream.
        package static let shares = Traits(rawValue: 2)
        /// The end of the upstreams is no end.
        package static let endless = Traits(rawValue: 4)
        /// Sends every element of `source` on, once and in order.
        package static let lossless = Traits(rawValue: 8)
        /// Takes nothing of `source`: a creation.
        package static let ignoresSource = Traits(rawValue: 16)
        /// Subscribes to `source` more than once for one subscriber, or later than at the subscription.
        package static let resubscribes = Traits(rawValue: 32)
        /// Ends by itself, before upstream does.
        package static let endsEarly = Traits(rawValue: 64)
        /// Stays subscribed to `source` until that terminates, also without a subscriber.
        package static let staysConnected = Traits(rawValue: 128)
        /// An error waits for the end of all upstreams.
        package static let delaysErrors = Traits(rawValue: 256)

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    package let name: String
    package let traits: Traits
    package let apply: @Sendable (Upstreams) -> Observable<Probed>

    package init(_ name: String, _ traits: Traits = [], _ apply: @escaping @Sendable (Upstreams) -> Observable<Probed>) {
        self.name = name
        self.traits = traits
        self.apply = apply
    }

    package var description: String { name }
}

/// What an operator of the table is applied to.
package struct Upstreams: Sendable {
    package let source: Observable<Probed>
    package let other: Observable<Probed>
    package let user: UserCode
    package let scheduler: any Scheduler

    package init(source: Observable<Probed>, other: Observable<Probed>, user: UserCode, scheduler: any Scheduler) {
        (self.source, self.other, self.user, self.scheduler) = (source, other, user, scheduler)
    }
}
