import Foundation
import Streams

/// The subscriber of a connection's bytes. At most one element is on its way to it.
///
/// Sound: `isBusy`, `isParked` and `ending` are confined to the engine's thread, and the deliveries follow one another.
final class SocketReceiver: @unchecked Sendable {
    private let downstream: AnyObserver<Data>
    private let lifetime: Lifetime
    private let scheduler: (any Scheduler)?
    private let counting = ResourceCounting()
    /// Whether an element has not been taken.
    private var isBusy = false
    /// Whether it waits until the subscriber is no longer suspended.
    private var isParked = false
    private var ending: Event<Data>?

    init(_ downstream: AnyObserver<Data>, _ lifetime: Lifetime, on scheduler: (any Scheduler)?) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.scheduler = scheduler
    }

    var isDisposed: Bool { lifetime.isDisposed }

    /// Whether the next element can be read; `parkIfSuspended` is called before, so that what is not read is also resumed.
    var isReady: Bool { !isBusy && !isParked }

    /// Waits, if the subscriber is suspended, until it no longer is; then `resume` is called once, on any thread, and `didResume` must be on
    /// the engine's.
    func parkIfSuspended(_ resume: @escaping @Sendable () -> Void) {
        guard !isBusy, !isParked, lifetime.isSuspended else { return }
        isParked = true
        ParkedLoop.run(in: lifetime) {
            resume()
            return false
        }
    }

    /// The subscriber is no longer suspended.
    func didResume() { isParked = false }

    /// Delivers an element; `taken` is called if that happens elsewhere, when it has been taken.
    func deliver(_ data: Data, taken: @escaping @Sendable () -> Void) {
        guard let scheduler else { return emit(.next(data)) }
        isBusy = true
        _ = scheduler.schedule { [self] in
            emit(.next(data))
            taken()
        }
    }

    /// The element has been taken.
    func didTake() {
        isBusy = false
        if let event = ending.take() { end(event) }
    }

    /// Delivers the terminal event, behind an element on its way.
    func end(_ event: Event<Data>) {
        guard !isBusy else { return ending = event }
        guard let scheduler else { return emit(event) }
        _ = scheduler.schedule { [self] in emit(event) }
    }

    private func emit(_ event: Event<Data>) {
        guard !lifetime.isDisposed else { return }
        counting { downstream.on(event) }
    }
}
