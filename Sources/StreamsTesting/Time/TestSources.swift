extension TestScheduler {
    /// A source that emits its events at fixed times of its scheduler, with or without subscribers, and records its subscriptions.
    public final class HotObservable<Element: Sendable>: ObservableType {
        /// The events and the times at which they are emitted.
        public let events: [Recorded<Element>]
        private let log: SubscriptionLog
        /// Terminal events are elements of this relay, because nothing here prevents further events after them.
        private let sent = PublishRelay<Event<Element>>()

        init(_ events: [Recorded<Element>], scheduler: TestScheduler) {
            self.events = events
            log = SubscriptionLog(clock: scheduler)
            for entry in events {
                _ = scheduler.schedule(after: entry.time - scheduler.now) { [sent] in sent.accept(entry.event) }
            }
        }

        /// The interval of each subscription, in the order of subscribing.
        public var subscriptions: [Subscription] { log.intervals }

        public func asObservable() -> Observable<Element> {
            Observable { [self] downstream, lifetime in
                lifetime.add(log.begin())
                sent.asObservable().subscribe(in: lifetime) { sent in
                    if let event = sent.element { downstream.on(event) }
                }
            }
        }
    }

    /// A source that emits its events anew for each subscriber, at times relative to the subscription, and records its subscriptions.
    public final class ColdObservable<Element: Sendable>: ObservableType {
        /// The events and their times relative to a subscription.
        public let events: [Recorded<Element>]
        private let log: SubscriptionLog
        private let scheduler: TestScheduler

        init(_ events: [Recorded<Element>], scheduler: TestScheduler) {
            self.events = events
            self.scheduler = scheduler
            log = SubscriptionLog(clock: scheduler)
        }

        /// The interval of each subscription, in the order of subscribing.
        public var subscriptions: [Subscription] { log.intervals }

        public func asObservable() -> Observable<Element> {
            Observable { [self] downstream, lifetime in
                lifetime.add(log.begin())
                for entry in events {
                    let action = scheduler.schedule(after: entry.time) {
                        guard !lifetime.isDisposed else { return }
                        downstream.on(entry.event)
                    }
                    lifetime.add(action)
                }
            }
        }
    }
}

/// The subscriptions of a test source.
private final class SubscriptionLog: Sendable {
    private let clock: TestScheduler
    private let entries = Lock<[TestScheduler.Subscription]>([])

    init(clock: TestScheduler) {
        self.clock = clock
    }

    var intervals: [TestScheduler.Subscription] {
        entries.withLock { $0 }
    }

    /// Records the beginning of a subscription and returns a closure that records its end.
    func begin() -> @Sendable () -> Void {
        let now = clock.now
        let index = entries.withLock { entries -> Int in
            entries.append(TestScheduler.Subscription(from: now))
            return entries.count - 1
        }
        return { [self] in
            let now = clock.now
            entries.withLock { $0[index].disposed = now }
        }
    }
}
