import Schedulers
import Synchronization

extension ObservableType {
    /// Performs side effects before (or `after...`) each event is forwarded; fails if a closure throws.
    ///
    /// ```swift
    /// numbers.do(onNext: { print($0) }, onDispose: { print("over") })
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// `onSubscribe` is called before upstream is subscribed to, `onSubscribed` after; the others where upstream emits. `onDispose` is
    /// called exactly once, last: after upstream was disposed, and after the other closures.
    ///
    /// Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            onSubscribe?()
            let disposal = onDispose.map { FinalAction($0, parent: lifetime) }
            disposal?.attach()
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    let isHeld = disposal?.retain() ?? false
                    defer { if isHeld { disposal?.release() } }
                    do {
                        switch event {
                        case .next(let element):
                            try onNext?(element)
                            downstream.onNext(element)
                            try afterNext?(element)
                        case .error(let error):
                            try onError?(error)
                            downstream.onError(error)
                            try afterError?(error)
                        case .completed:
                            try onCompleted?()
                            downstream.onCompleted()
                            try afterCompleted?()
                        }
                    } catch {
                        if !lifetime.isDisposed { downstream.onError(error) }
                    }
                }, lifetime)
            onSubscribed?()
            disposal?.release()
        }
    }
}

/// An action that runs once, after everything that it depends on: the end of its lifetime, the call that started the source, and the event
/// being handled.
///
/// It runs on the thread that released it last, so that no thread waits for another.
private final class FinalAction: LifetimeMember, @unchecked Sendable {
    // Law 4: the count selects the one caller that runs the action. It starts with the lifetime and the start of the source.
    private let holds = Atomic<Int>(2)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void, parent: Lifetime) {
        self.action = action
        super.init(parent: parent)
    }

    /// Delays the action until `release()`; returns `false` if it has run.
    func retain() -> Bool {
        var count = holds.load(ordering: .relaxed)
        while count > 0 {
            let outcome = holds.weakCompareExchange(expected: count, desired: count + 1, ordering: .acquiringAndReleasing)
            guard !outcome.exchanged else { return true }
            count = outcome.original
        }
        return false
    }

    func release() {
        guard holds.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        LockProbe.expectNoLock()
        action()
    }

    override func tearDown() {
        release()
    }
}
