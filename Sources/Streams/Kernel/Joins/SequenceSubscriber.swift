import Schedulers
import Synchronization

/// The successor of a terminated upstream.
@usableFromInline
enum Following<Element: Sendable>: Sendable {
    /// Another upstream, whose terminal event is handled in the same way.
    case next(Observable<Element>)
    /// The last upstream, which replaces the join: all its events are forwarded.
    case last(Observable<Element>)
}

/// Subscribes to upstreams one after the other: the join of `concat`, `catch`, `retry` and `repeat`.
///
/// Each terminal event determines the next upstream. Each upstream except the last runs in a child lifetime, which is disposed before the
/// next one starts. A synchronous source is followed in a loop, not in a nested call (law 5).
@usableFromInline
final class SequenceSubscriber<Element: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Next = @Sendable (Event<Never>) throws -> Following<Element>?
    @usableFromInline typealias Upstream = JoinUpstream<SequenceSubscriber>

    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let next: Next
    /// The number of terminal events and sources that have not been handled. An event that arrives while its source is being subscribed to
    /// is deferred, so that what the source has registered is disposed before the next begins.
    @usableFromInline let arrived = Atomic<Int>(0)
    /// Law 2: one upstream is active at a time, so at most one terminal event is pending.
    @usableFromInline @safe @exclusivity(unchecked) var terminalEvent: Event<Never>?
    /// The first source, or one that waited until downstream was resumed. Law 2: no upstream is active meanwhile.
    @usableFromInline @safe @exclusivity(unchecked) var waiting: Following<Element>?
    /// Whether no upstream has been subscribed to.
    @usableFromInline @safe @exclusivity(unchecked) var isBeginning = false
    /// Whether a synchronous upstream has not terminated yet: its termination may be reported twice.
    @usableFromInline @safe @exclusivity(unchecked) var isListening = false
    @usableFromInline let mark = Resources.Mark("SequenceSubscriber")

    /// Creates the subscriber. `next` returns the successor for each terminal event; for `nil`, that event is forwarded.
    @inlinable
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, _ next: @escaping Next) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.next = next
    }

    /// Begins with the successor of `completed`, which is subscribed to even if downstream is suspended.
    @inlinable
    func run() {
        isBeginning = true
        advance(after: .completed)
    }

    /// Subscribes to the successor of a terminated upstream.
    @inlinable
    func advance(after event: consuming Event<Element>) {
        terminalEvent = event.terminal()
        advance()
    }

    /// Subscribes to `source` when nothing else is being subscribed to.
    @inlinable
    func advance(to source: consuming Following<Element>) {
        waiting = source
        advance()
    }

    /// Handles what has arrived, unless that is being done.
    @inlinable @inline(__always)
    func advance() {
        guard arrived.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        var spare: Upstream?
        repeat {
            if let event = terminalEvent.take() {
                follow(event, &spare)
            } else if let source = waiting.take() {
                begin(source, &spare)
            }
        } while arrived.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    @inlinable
    func follow(_ event: Event<Never>, _ spare: inout Upstream?) {
        guard !lifetime.isDisposed else { return }
        let following: Following<Element>?
        do { following = try next(event) } catch { return downstream.onError(error) }
        // A successor that was bound for both uses would be copied.
        if lifetime.isSuspended, !isBeginning, let following { return resume(with: following) }
        isBeginning = false
        guard let following else { return downstream.on(event.terminal()) }
        begin(following, &spare)
    }

    @inlinable @inline(__always)
    func begin(_ following: consuming Following<Element>, _ spare: inout Upstream?) {
        switch consume following {
        case .next(let source): subscribe(to: source, &spare)
        case .last(let source): source.startLast(downstream, lifetime)
        }
    }

    /// Subscribes to the successor when downstream is no longer suspended.
    @usableFromInline
    func resume(with following: Following<Element>) {
        lifetime.whenResumed { [self] in advance(to: following) }
    }

    /// Subscribes to the first source.
    @inlinable
    func subscribe(to source: Observable<Element>) {
        advance(to: .next(source))
    }

    /// Subscribes to `source`, whose terminal event determines the successor.
    ///
    /// `spare` is the lifetime of a terminated source. The next source reuses it, if nothing else references it any more.
    @inlinable
    func subscribe(to source: Observable<Element>, _ spare: inout Upstream?) {
        guard !source.isSynchronous else { return subscribe(toSynchronous: source) }
        let upstream = Upstream.begin(for: self, in: lifetime, reusing: &spare)
        source.start(
            AnyObserver.receiving { event in
                guard let event = event.take(in: upstream) else { return }
                guard event.isStopEvent else { return upstream.join.downstream.on(consume event) }
                upstream.join.advance(after: consume event)
            }, upstream)
    }

    /// Subscribes to a source that needs no lifetime of its own.
    @inlinable
    func subscribe(toSynchronous source: Observable<Element>) {
        isListening = true
        source.start(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard isListening else { return }
                guard event.isStopEvent else { return downstream.on(consume event) }
                isListening = false
                advance(after: consume event)
            }, lifetime)
    }
}
