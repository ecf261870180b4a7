/// Disposes its members when it is deallocated: the usual property of an object that subscribes.
///
/// ```swift
/// let bag = DisposeBag()
/// quotes.subscribe(onNext: { print($0) }).disposed(by: bag)
/// ```
public final class DisposeBag: Sendable {
    private let members = Lock<[any Disposable]?>([])

    /// Creates an empty bag.
    public init() {}

    /// Creates a bag of the disposables that `build` lists, one per line.
    public convenience init(@DisposableBuilder _ build: () -> [any Disposable]) {
        self.init()
        insert(build())
    }

    /// Adds one or several disposables.
    public func insert(_ disposables: any Disposable...) {
        insert(disposables)
    }

    /// Adds all of `disposables`.
    public func insert(_ disposables: [any Disposable]) {
        #if STREAMS_INSPECTOR
            for disposable in disposables { (disposable as? any RetainedDisposable)?.noteBag() }
        #endif
        let isKept = members.withLock { $0?.append(contentsOf: disposables) != nil }
        guard !isKept else { return }
        for disposable in disposables {
            disposable.dispose()
        }
    }

    /// Adds the disposables that `build` lists, one per line.
    public func insert(@DisposableBuilder _ build: () -> [any Disposable]) {
        insert(build())
    }

    /// Disposes all members; disposables added afterwards are disposed immediately.
    package func dispose() {
        let disposables = members.withLock { $0.take() }
        for disposable in disposables ?? [] {
            disposable.dispose()
        }
    }

    deinit {
        dispose()
    }
}

#if STREAMS_INSPECTOR
    /// A disposable that shows who retains it.
    package protocol RetainedDisposable: Disposable {
        /// Records that a bag retains it.
        func noteBag()
    }
#endif

/// Collects disposables written one per line.
@resultBuilder
public enum DisposableBuilder {
    /// Lists disposables one after the other.
    public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
        disposables
    }
}
