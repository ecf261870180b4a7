import Schedulers
import Synchronization

/// Where a source that is pushed, by a socket, a transfer or a clock, meets its subscriber: it asks whether that can receive an element, is
/// told when it can again, and delivers.
///
/// Deliveries follow one another (law 2), and `didResume` is one where events wait; whether it is ready may be asked on any thread.
@usableFromInline
package final class Outlet<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline package let lifetime: Lifetime
    @usableFromInline let counting = ResourceCounting()
    private let parked = Atomic(false)
    // Law 2: accessed by whoever delivers.
    @usableFromInline @safe @exclusivity(unchecked) var waiting: [Event<Element>] = []
    @usableFromInline @safe @exclusivity(unchecked) var isEmitting = false

    @usableFromInline
    package init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        (self.downstream, self.lifetime) = (downstream, lifetime)
    }

    @inlinable package var isDisposed: Bool { lifetime.isDisposed }

    /// Whether it waits until the subscriber is no longer suspended.
    package var isParked: Bool { parked.load(ordering: .acquiring) }

    /// Whether events wait for the subscriber.
    @inlinable package var hasWaiting: Bool { !waiting.isEmpty }

    /// Whether the subscriber can receive an element. If not, `resumed` is called once when it can, where it is resumed, and calls `didResume`
    /// on the thread of the source; until then this is `false`.
    package func awaitReadiness(_ resumed: @escaping @Sendable () -> Void) -> Bool {
        if !isParked, !hasWaiting, lifetime.mayEmit { return true }
        park(resumed)
        return false
    }

    /// Calls `resumed` when the subscriber is no longer suspended, unless that is awaited already.
    package func park(_ resumed: @escaping @Sendable () -> Void) {
        guard !isDisposed, !parked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        lifetime.whenResumed {
            resumed()
        }
    }

    /// Delivers the events that wait, and is ready again.
    package func didResume() {
        deliverWaiting()
        parked.store(false, ordering: .releasing)
    }

    /// Delivers an event, behind those that wait until the subscriber is no longer suspended, or has returned from the last one. One that is
    /// urgent, like a terminal event, does not wait for a subscriber that is suspended.
    ///
    /// - Parameter isReplaced: whether an element that waits, and is the last to do so, is replaced.
    @inlinable
    package func deliver(_ event: Event<Element>, urgently: Bool = false, replacing isReplaced: (Element) -> Bool = { _ in false }) {
        guard !isDisposed else { return }
        if waiting.isEmpty, !isEmitting, urgently || event.isStopEvent || !lifetime.isSuspended {
            isEmitting = true
            emit(event)
            isEmitting = false
        } else {
            if case .next(let last)? = waiting.last, isReplaced(last) { waiting.removeLast() }
            waiting.append(event)
        }
        deliverWaiting(urgently: urgently)
    }

    @inlinable
    func deliverWaiting(urgently: Bool = false) {
        guard !isEmitting, hasWaiting else { return }
        isEmitting = true
        while let event = waiting.first, urgently || event.isStopEvent || !lifetime.isSuspended {
            waiting.removeFirst()
            emit(event)
        }
        isEmitting = false
    }

    /// Delivers an event at once, unless the subscription is disposed.
    @inlinable
    package func emit(_ event: Event<Element>) {
        guard !isDisposed else { return }
        counting { downstream.on(event) }
    }
}
