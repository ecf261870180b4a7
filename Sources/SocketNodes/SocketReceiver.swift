import Foundation
import Streams
import Synchronization

/// The subscriber of a connection's bytes. At most one element is on its way to it.
///
/// Sound: `isParked` and `ending` are confined to the engine's thread, `element` is atomic, and the deliveries follow one another.
final class SocketReceiver: @unchecked Sendable {
    /// What became of the last element.
    private enum Element: Int, AtomicRepresentable {
        case taken
        case underway
        /// It is underway, and the engine is told when it is taken.
        case awaited
    }

    private let downstream: AnyObserver<Data>
    private let lifetime: Lifetime
    private let scheduler: (any Scheduler)?
    private let counting = ResourceCounting()
    private let element = Atomic(Element.taken)
    /// Whether the engine is told of each element that was taken, because the time until then is not the peer's.
    private let tellsAlways: Bool
    /// Whether it waits until the subscriber is no longer suspended.
    private var isParked = false
    private var ending: Event<Data>?

    init(_ downstream: AnyObserver<Data>, _ lifetime: Lifetime, on scheduler: (any Scheduler)?, tellsAlways: Bool) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.scheduler = scheduler
        self.tellsAlways = tellsAlways
    }

    var isDisposed: Bool { lifetime.isDisposed }

    /// Whether the next element can be read; `parkIfSuspended` is called before, so that what is not read is also resumed.
    var isReady: Bool { element.load(ordering: .acquiring) == .taken && !isParked }

    /// Whether the arrival of input is of interest: by then the last element may have been taken.
    var wantsInput: Bool { element.load(ordering: .acquiring) != .awaited && !isParked }

    /// Returns whether the last element was taken; if not, the engine will be told when it is.
    func awaitElement() -> Bool {
        element.compareExchange(expected: .underway, desired: .awaited, ordering: .acquiringAndReleasing).original == .taken
    }

    /// Waits, if the subscriber is suspended, until it no longer is; then `resume` is called once, on any thread, and `didResume` must be on
    /// the engine's.
    func parkIfSuspended(_ resume: @escaping @Sendable () -> Void) {
        guard isReady, lifetime.isSuspended else { return }
        isParked = true
        lifetime.whenResumed {
            resume()
        }
    }

    /// The subscriber is no longer suspended.
    func didResume() { isParked = false }

    /// Delivers an element; `taken` is called if that happens elsewhere, when it has been taken and the engine waits for that.
    func deliver(_ data: Data, taken: @escaping @Sendable () -> Void) {
        guard let scheduler else { return emit(.next(data)) }
        element.store(tellsAlways ? .awaited : .underway, ordering: .releasing)
        _ = scheduler.schedule { [self] in
            emit(.next(data))
            if element.exchange(.taken, ordering: .acquiringAndReleasing) == .awaited { taken() }
        }
    }

    /// The element has been taken.
    func didTake() {
        if let event = ending.take() { end(event) }
    }

    /// Delivers the terminal event, behind an element on its way.
    func end(_ event: Event<Data>) {
        guard awaitElement() else { return ending = event }
        guard let scheduler else { return emit(event) }
        _ = scheduler.schedule { [self] in emit(event) }
    }

    private func emit(_ event: Event<Data>) {
        guard !lifetime.isDisposed else { return }
        counting { downstream.on(event) }
    }
}
