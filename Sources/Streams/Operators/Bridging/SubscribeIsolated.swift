import Schedulers

extension ObservableType {
    /// Subscribes with closures that run on `actor`, one after the other and in order, and may read and change its state.
    ///
    /// ```swift
    /// numbers.subscribe(isolatedTo: counter) { counter, number in counter.total += number }.disposed(by: bag)
    /// // --1--2--|
    /// ```
    ///
    /// A burst is passed to the actor at once, not element by element. Elements that the actor has not taken yet are buffered as `policy`
    /// defines. The actor is referenced weakly; the first event after its release disposes the subscription. After disposal, at most the
    /// closure that is already running finishes. An error without an `onError` is reported to `Hooks.unhandledError`. Source: [Swift,
    /// isolated parameters](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0313-actor-isolation-control.md).
    public func subscribe<Target: Actor>(
        isolatedTo actor: Target, overflow policy: BufferingPolicy = .standard,
        onNext: @escaping @Sendable (isolated Target, Element) -> Void,
        onError: (@Sendable (isolated Target, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (isolated Target) -> Void)? = nil
    ) -> any Disposable {
        let delivery = IsolatedDelivery(onNext: onNext, onError: onError, onCompleted: onCompleted)
        let buffer = ElementBuffer<Element, any Error>(policy)
        delivery.lifetime.add { buffer.close() }
        Task { [weak actor] in
            while true {
                let events = await buffer.nextEvents()
                guard let actor, await delivery.deliver(events, to: actor) else { break }
            }
            delivery.lifetime.dispose()
        }
        buffer.subscribe(to: asObservable())
        return delivery.lifetime
    }
}

extension ElementBuffer where Failure == any Error {
    /// Waits for the next elements, or for the terminal event after them; a closed buffer completes.
    fileprivate func nextEvents() async -> [Event<Element>] {
        var batch = ElementQueue<Element>()
        do { try await takeBatch(into: &batch) } catch { return [.error(error)] }
        return batch.isEmpty ? [.completed] : (0..<batch.count).map { .next(batch[$0]) }
    }
}

/// Calls the closures of one subscription on an actor.
private struct IsolatedDelivery<Target: Actor, Element: Sendable>: Sendable {
    let lifetime = Lifetime()
    let onNext: @Sendable (isolated Target, Element) -> Void
    let onError: (@Sendable (isolated Target, any Error) -> Void)?
    let onCompleted: (@Sendable (isolated Target) -> Void)?

    /// Returns whether further events may follow.
    func deliver(_ events: [Event<Element>], to target: isolated Target) -> Bool {
        for event in events {
            guard !lifetime.isDisposed else { return false }
            switch event {
            case .next(let element): onNext(target, element)
            case .error(let error):
                guard lifetime.end() else { return false }
                if let onError { onError(target, error) } else { Hooks.unhandledError(error, in: lifetime) }
            case .completed:
                if lifetime.end() { onCompleted?(target) }
            }
        }
        return !lifetime.isDisposed
    }
}
