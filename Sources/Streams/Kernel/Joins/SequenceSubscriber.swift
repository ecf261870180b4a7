import Schedulers
import Synchronization

/// What follows an upstream that has terminated.
@usableFromInline
enum Following<Element: Sendable> {
    /// Another, whose terminal event is asked about too.
    case next(Observable<Element>)
    /// Another, which takes the place of all: whatever it emits is passed on.
    case last(Observable<Element>)
}

/// Subscribes to upstreams one after the other: the join of `concat`, `catch`, `retry` and `repeat`.
///
/// At each terminal event it asks what comes next. Each upstream but the last runs in a child lifetime, which ends before the next one
/// starts; a source that terminates synchronously is followed in a loop, not in a deeper call (law 5).
@usableFromInline
final class SequenceSubscriber<Element: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Next = @Sendable (Event<Element>) throws -> Following<Element>?

    /// The lifetime of one upstream, which knows where its events go: an observer that captures nothing else is not allocated.
    @usableFromInline
    final class Upstream: Lifetime, @unchecked Sendable {
        @usableFromInline final let join: SequenceSubscriber

        @inlinable
        init(_ join: SequenceSubscriber) {
            self.join = join
            super.init(childOf: join.lifetime)
        }
    }

    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let next: Next
    /// The terminal events that have arrived and were not handled: one that arrives while a source is being subscribed to waits for that.
    @usableFromInline let arrived = Atomic<Int>(0)
    /// Law 2: one upstream runs at a time, so one terminal event at a time can wait.
    @usableFromInline @exclusivity(unchecked) var terminalEvent: Event<Element>?
    /// Whether a synchronous upstream has yet to terminate: it may say so twice.
    @usableFromInline @exclusivity(unchecked) var isListening = false
    @usableFromInline let mark = Resources.Mark("SequenceSubscriber")

    /// `next` gives what follows each terminal event; nil passes that event on.
    @inlinable
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, _ next: @escaping Next) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.next = next
    }

    /// Begins with what follows `completed`.
    @inlinable
    func run() {
        advance(after: .completed)
    }

    @inlinable
    func advance(after event: consuming Event<Element>) {
        terminalEvent = event
        guard arrived.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if let event = terminalEvent.take() { follow(event) }
        } while arrived.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    @inlinable
    func follow(_ event: Event<Element>) {
        guard !lifetime.isDisposed else { return }
        let following: Following<Element>?
        do { following = try next(event) } catch { return downstream.onError(error) }
        switch following {
        case .next(let source): subscribe(to: source)
        case .last(let source): source.startLast(downstream, lifetime)
        case nil: downstream.on(event)
        }
    }

    /// Subscribes to `source`, whose terminal event asks what follows.
    @inlinable
    func subscribe(to source: Observable<Element>) {
        guard !source.isSynchronous else { return subscribe(toSynchronous: source) }
        let upstream = Upstream(self)
        upstream.attach()
        source.start(
            AnyObserver { event in
                guard upstream.admits(event) else { return }
                guard event.isStopEvent else { return upstream.join.downstream.on(event) }
                upstream.join.advance(after: event)
            }, upstream)
    }

    /// Subscribes to a source that needs no lifetime of its own.
    @inlinable
    func subscribe(toSynchronous source: Observable<Element>) {
        isListening = true
        source.start(
            AnyObserver { [self] event in
                guard isListening else { return }
                guard event.isStopEvent else { return downstream.on(event) }
                isListening = false
                advance(after: event)
            }, lifetime)
    }
}
