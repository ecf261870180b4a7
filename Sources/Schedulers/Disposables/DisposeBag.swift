import Synchronization

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

    /// Adds one disposable, without an array for it.
    func insert(one disposable: any Disposable) {
        BagProbe.note(disposable)
        if members.withLock({ $0?.append(disposable) }) == nil { disposable.dispose() }
    }

    /// Adds all of `disposables`.
    public func insert(_ disposables: [any Disposable]) {
        disposables.forEach(BagProbe.note)
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

/// The observer that is told which subscriptions bags retain; there is none until something inspects.
package enum BagProbe {
    /// A function with an identity.
    private final class Watcher: Sendable {
        fileprivate let note: @Sendable (any Disposable) -> Void

        init(_ note: @escaping @Sendable (any Disposable) -> Void) {
            self.note = note
        }
    }

    /// The only watcher that there can be.
    private static let watcher = AtomicLazyReference<Watcher>()
    /// Whether there is a watcher: the generic code of an `AtomicLazyReference` costs more than the insertion.
    private static let isWatched = Atomic<Bool>(false)

    package static func watch(_ note: @escaping @Sendable (any Disposable) -> Void) {
        _ = watcher.storeIfNil(Watcher(note))
        isWatched.store(true, ordering: .releasing)
    }

    fileprivate static func note(_ disposable: any Disposable) {
        if isWatched.load(ordering: .acquiring) { watcher.load()?.note(disposable) }
    }
}

extension DisposeBag {
    /// Collects disposables written one per line.
    @resultBuilder
    public enum DisposableBuilder {
        /// Lists disposables one after the other.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
            disposables
        }
    }
}
