/// A source that sends its events at fixed times of its scheduler, whoever listens, and remembers who listened when.
public final class HotTestObservable<Element: Sendable>: ObservableType {
    private struct State {
        var observers: [(number: Int, observer: AnyObserver<Element>, lifetime: Lifetime)] = []
        var next = 0
    }

    /// The events, with the times at which they are sent.
    public let events: [Recorded<Element>]
    private let log: SubscriptionLog
    private let state = Lock(State())

    init(_ events: [Recorded<Element>], scheduler: TestScheduler) {
        self.events = events
        log = SubscriptionLog(clock: scheduler)
        for entry in events {
            _ = scheduler.schedule(after: entry.time - scheduler.now) { [weak self] in self?.send(entry.event) }
        }
    }

    /// When each subscription began and ended, in the order of their beginnings.
    public var subscriptions: [SubscriptionInterval] { log.intervals }

    public func asObservable() -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            let end = log.begin()
            let number = state.withLock { state -> Int in
                state.next += 1
                state.observers.append((state.next, downstream, lifetime))
                return state.next
            }
            lifetime.add { [self] in
                end()
                remove(number)
            }
        }
    }

    private func send(_ event: Event<Element>) {
        for entry in state.withLock({ $0.observers }) where !entry.lifetime.isDisposed {
            entry.observer.on(event)
        }
    }

    private func remove(_ number: Int) {
        // Released after the lock is left.
        _ = state.withLock { state in
            state.observers.firstIndex { $0.number == number }.map { state.observers.remove(at: $0) }
        }
    }
}

/// A source that sends its events to each subscriber anew, at times counted from its subscription, and remembers who listened when.
public final class ColdTestObservable<Element: Sendable>: ObservableType {
    /// The events, with their times from a subscription on.
    public let events: [Recorded<Element>]
    private let log: SubscriptionLog
    private let scheduler: TestScheduler

    init(_ events: [Recorded<Element>], scheduler: TestScheduler) {
        self.events = events
        self.scheduler = scheduler
        log = SubscriptionLog(clock: scheduler)
    }

    /// When each subscription began and ended, in the order of their beginnings.
    public var subscriptions: [SubscriptionInterval] { log.intervals }

    public func asObservable() -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            lifetime.add(log.begin())
            let actions = CompositeDisposable()
            lifetime.add(actions)
            for entry in events {
                let action = scheduler.schedule(after: entry.time) {
                    guard !lifetime.isDisposed else { return }
                    downstream.on(entry.event)
                }
                actions.insert(action)
            }
        }
    }
}

/// Who subscribed to a test source, and when.
private final class SubscriptionLog: Sendable {
    private let clock: TestScheduler
    private let entries = Lock<[SubscriptionInterval]>([])

    init(clock: TestScheduler) {
        self.clock = clock
    }

    var intervals: [SubscriptionInterval] {
        entries.withLock { $0 }
    }

    /// Notes the beginning of a subscription and gives what notes its end.
    func begin() -> @Sendable () -> Void {
        let now = clock.now
        let index = entries.withLock { entries -> Int in
            entries.append(SubscriptionInterval(from: now))
            return entries.count - 1
        }
        return { [self] in
            let now = clock.now
            entries.withLock { $0[index].disposed = now }
        }
    }
}
