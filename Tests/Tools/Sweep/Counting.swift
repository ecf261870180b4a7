import Streams
import Synchronization

/// Where the counted streams end: relaxed loads and stores, which the optimizer may neither remove nor merge.
enum Receipt {
    private static let elements = Atomic<Int>(0)

    @inline(__always)
    static func note() {
        elements.store(elements.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
}

extension ObservableType {
    /// Subscribes as the counted programs do.
    @inline(__always) @discardableResult
    func run() -> any Disposable {
        subscribe(onNext: { _ in Receipt.note() }, onError: { _ in Receipt.note() }, onCompleted: { Receipt.note() })
    }
}

extension InfallibleSequence where Kind == TraitKind.Infallible {
    @inline(__always) @discardableResult
    func run() -> any Disposable {
        subscribe(onNext: { _ in Receipt.note() }, onCompleted: { Receipt.note() })
    }
}

extension PrimitiveSequence where Kind == TraitKind.Single {
    @inline(__always) @discardableResult
    func run() -> any Disposable {
        subscribe(onSuccess: { _ in Receipt.note() }, onFailure: { _ in Receipt.note() })
    }
}

extension PrimitiveSequence where Kind == TraitKind.Maybe {
    @inline(__always) @discardableResult
    func run() -> any Disposable {
        subscribe(onSuccess: { _ in Receipt.note() }, onError: { _ in Receipt.note() }, onCompleted: { Receipt.note() })
    }
}

extension PrimitiveSequence where Kind == TraitKind.Completable, Element == Never {
    @inline(__always) @discardableResult
    func run() -> any Disposable {
        subscribe(onCompleted: { Receipt.note() }, onError: { _ in Receipt.note() })
    }
}

/// The error of a stream of a row.
struct Failure: Error {}

/// A value of which the optimizer knows nothing.
@inline(never) @_optimize(none)
func opaque(_ value: Int) -> Int { value }

/// Valgrind counts from the call of this: the tool names it.
@inline(never)
func sweepMeasured(_ work: Work) {
    work.run()
}

/// Valgrind writes the counts when this returns: the tool names it. One function cannot be for both.
@inline(never)
func sweepRow(_ work: Work) {
    sweepMeasured(work)
}

/// Whether a stream has ended.
final class End: Sendable {
    private let ends = Atomic<Int>(0)

    var isReached: Bool { ends.load(ordering: .relaxed) > 0 }

    func note() { ends.add(1, ordering: .relaxed) }
}
