import OperatorCatalogue
import StreamsTesting

/// An upstream under the test's hand: knows who subscribed and who disposed, and sends what it is told, well-behaved or not.
final class Tap: Sendable {
    private struct State {
        var observers: [(number: Int, observer: AnyObserver<Probed>, lifetime: Lifetime)] = []
        var subscriptions = 0
        var disposals: [Int: Int] = [:]
        var isCompleted = false
        var reaction: (@Sendable () -> Void)?
    }

    private let state = Lock(State())
    private let looksAtLifetime: Bool
    private let script: [Event<Probed>]

    /// Makes an upstream that sends `script` while it is being subscribed to. One that does not look at the lifetime goes on sending
    /// after its terminal event and after its disposal.
    init(looksAtLifetime: Bool = true, script: [Event<Probed>] = []) {
        self.looksAtLifetime = looksAtLifetime
        self.script = script
    }

    /// How often it was subscribed to.
    var subscriptions: Int { state.withLock { $0.subscriptions } }

    /// How many subscriptions were disposed.
    var disposals: Int { state.withLock { $0.disposals.count } }

    /// Whether every subscription was disposed, and each once.
    var isLetGo: Bool {
        state.withLock { $0.disposals.count == $0.subscriptions && $0.disposals.values.allSatisfy { $0 == 1 } }
    }

    var observable: Observable<Probed> {
        Observable { [self] downstream, lifetime in
            let number = state.withLock { state -> Int in
                state.subscriptions += 1
                state.observers.append((state.subscriptions, downstream, lifetime))
                return state.subscriptions
            }
            lifetime.add { [self] in remove(number) }
            if state.withLock({ $0.isCompleted }) { return downstream.onCompleted() }
            for event in script where !looksAtLifetime || !lifetime.isDisposed {
                downstream.on(event)
            }
        }
    }

    /// Sends to those who listen; its completion also to those who come later.
    func send(_ event: Event<Probed>) {
        if looksAtLifetime, event.isCompleted { state.withLock { $0.isCompleted = true } }
        for entry in state.withLock({ $0.observers }) where !looksAtLifetime || !entry.lifetime.isDisposed {
            entry.observer.on(event)
        }
    }

    /// Calls `reaction` at each end of a subscription, where a value of the user would be released.
    func onRelease(_ reaction: @escaping @Sendable () -> Void) {
        state.withLock { $0.reaction = reaction }
    }

    /// Releases every observer, which a badly behaved upstream does not do.
    func forget() {
        _ = state.withLock { state in
            defer { state.observers = [] }
            return state.observers
        }
    }

    private func remove(_ number: Int) {
        // Released after the lock is left. A badly behaved upstream forgets nobody, so that it can go on.
        _ = state.withLock { state -> (Int, AnyObserver<Probed>, Lifetime)? in
            state.disposals[number, default: 0] += 1
            guard looksAtLifetime, let index = state.observers.firstIndex(where: { $0.number == number }) else { return nil }
            return state.observers.remove(at: index)
        }
        state.withLock { $0.reaction }?()
    }
}
