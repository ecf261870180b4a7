import Synchronization

/// A disposable that only records whether it was disposed.
///
/// Source: [Rx.NET, BooleanDisposable](https://introtorx.com).
public final class BooleanDisposable: Disposable {
    private let disposed: Atomic<Bool>

    /// Creates a disposable, by default not disposed.
    public init(isDisposed: Bool = false) {
        disposed = Atomic(isDisposed)
    }

    /// Whether `dispose()` has been called. Thread-safe.
    public var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    public func dispose() {
        disposed.store(true, ordering: .releasing)
    }
}
