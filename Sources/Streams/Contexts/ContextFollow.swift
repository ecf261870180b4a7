import Schedulers

extension Observer {
    /// Makes a context that follows each outcome with an operation, whose outcomes become its own, or with another outcome.
    ///
    /// The operation that an earlier outcome started is cancelled by the next one; its late outcome is dropped. When nothing more can come
    /// from this context and the operation that runs is all that is left, the derived context only forwards it, and says so: who follows it
    /// changes over to that operation. So a context that polls by recursion is a loop, of constant memory.
    final func follow<Result>(_ step: @escaping @Sendable (Outcome<Model>) -> Outcome<Observer<Result>>) -> Observer<Result> {
        derive { outcomes, operation in
            Observable { downstream, lifetime in
                let join = SwitchJoin(downstream, lifetime)
                let outer = lifetime.child()
                let receive: @Sendable (Event<Outcome<Model>?>) -> Void = { event in
                    guard !outer.isDisposed else { return }
                    guard case .next(let outcome) = event else {
                        join.run { if outer.end() { join.completeOuter() } }
                        return join.run { if operation.beginForwarding() { downstream.onNext(nil) } }
                    }
                    // Linked before the operation before is disposed: a context that is returned twice is not cancelled in between.
                    let next: Observable<Outcome<Result>?> =
                        switch outcome.map(step) {
                        case .data(let context)?: context.events(for: operation, asStep: true)
                        case .failure(let error)?: .just(.failure(error))
                        case .cancelled?: .just(.cancelled)
                        case nil: .just(nil)
                        }
                    join.run { join.disposeLatest() }
                    join.switchTo(next)
                }
                outcomes.start(
                    AnyObserver { event in
                        guard join.serializer.tryEnter() else { return join.serializer.enqueue { receive(event) } }
                        NestedSteps.run {
                            receive(event)
                            join.serializer.leave()
                        }
                    }, outer)
            }
        }
    }
}
