import Synchronization

/// A disposable that only remembers whether it was disposed.
///
/// Source: [Rx.NET, BooleanDisposable](https://introtorx.com).
public final class BooleanDisposable: Disposable {
    private let disposed: Atomic<Bool>

    /// Makes one, by default not disposed.
    public init(isDisposed: Bool = false) {
        disposed = Atomic(isDisposed)
    }

    /// Whether `dispose()` was called. Readable from any thread.
    public var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    public func dispose() {
        disposed.store(true, ordering: .releasing)
    }
}
