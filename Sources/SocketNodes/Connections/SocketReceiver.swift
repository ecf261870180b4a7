import Foundation
import Streams
import Synchronization

/// The subscriber of a connection's bytes. At most one element is on its way to it at a time.
///
/// Sound: `ending` is confined to the engine's thread, `element` is atomic, and the deliveries follow one another.
final class SocketReceiver: @unchecked Sendable {
    /// The state of the last element.
    private enum Element: Int, AtomicRepresentable {
        case taken
        case underway
        /// The element is on its way, and the engine is told when it is taken.
        case awaited
    }

    private let outlet: Outlet<Data>
    private let scheduler: (any Scheduler)?
    private let element = Atomic(Element.taken)
    /// Whether the engine is told of each element that was taken, because the time until then does not count as the peer's.
    private let tellsAlways: Bool
    private var ending: Event<Data>?

    init(_ downstream: AnyObserver<Data>, _ lifetime: Lifetime, on scheduler: (any Scheduler)?, tellsAlways: Bool) {
        outlet = Outlet(downstream, lifetime)
        self.scheduler = scheduler
        self.tellsAlways = tellsAlways
    }

    var isDisposed: Bool { outlet.isDisposed }

    /// Whether the next element can be read; `parkIfSuspended` is called before, so that what is not read is also resumed.
    var isReady: Bool { element.load(ordering: .acquiring) == .taken && !outlet.isParked }

    /// Whether the arrival of input is of interest: by then the last element may have been taken.
    var wantsInput: Bool { element.load(ordering: .acquiring) != .awaited && !outlet.isParked }

    /// Returns whether the last element was taken; if not, the engine will be told when it is.
    func awaitElement() -> Bool {
        element.compareExchange(expected: .underway, desired: .awaited, ordering: .acquiringAndReleasing).original == .taken
    }

    /// If the subscriber is suspended, waits until it no longer is. Then `resume` is called once, on any thread, and `didResume` must be
    /// called on the engine's thread.
    func parkIfSuspended(_ resume: @escaping @Sendable () -> Void) {
        if isReady { _ = outlet.awaitReadiness(resume) }
    }

    /// The subscriber is no longer suspended.
    func didResume() { outlet.didResume() }

    /// Delivers an element. If the delivery happens elsewhere, `taken` is called when the element has been taken and the engine waits for
    /// that.
    func deliver(_ data: Data, taken: @escaping @Sendable () -> Void) {
        guard let scheduler else { return outlet.emit(.next(data)) }
        element.store(tellsAlways ? .awaited : .underway, ordering: .releasing)
        _ = scheduler.schedule { [self] in
            outlet.emit(.next(data))
            if element.exchange(.taken, ordering: .acquiringAndReleasing) == .awaited { taken() }
        }
    }

    /// Notes that the element has been taken.
    func didTake() {
        if let event = ending.take() { end(event) }
    }

    /// Delivers the terminal event, after an element on its way.
    func end(_ event: Event<Data>) {
        guard awaitElement() else { return ending = event }
        guard let scheduler else { return outlet.emit(event) }
        _ = scheduler.schedule { [outlet] in outlet.emit(event) }
    }
}
