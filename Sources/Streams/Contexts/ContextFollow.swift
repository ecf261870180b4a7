import Schedulers

/// What an outcome is followed with.
enum NextStep<Model: Sendable> {
    case outcome(Outcome<Model>)
    case operation(Observer<Model>)
}

extension Observer {
    /// Makes a context that follows each outcome with another one, or with an operation whose outcomes become its own.
    ///
    /// The operation that an earlier outcome started is cancelled by the next one; its late outcome is dropped.
    final func follow<Result>(_ step: @escaping @Sendable (Outcome<Model>) throws -> NextStep<Result>) -> Observer<Result> {
        let again = recipe.map { recipe in { @Sendable () -> Observer<Result>? in recipe()?.follow(step) } }
        return derive(into: { Observer<Result>() }, again: again) { outcomes, operation in
            Observable { downstream, lifetime in
                let follower = Follower<Model, Result>(downstream, lifetime, operation)
                let outer = lifetime.child()
                outcomes.start(AnyObserver { event in follower.receive(event, of: outer, step) }, outer)
            }
        }
    }
}

/// Runs one operation at a time for a context that follows outcomes.
///
/// When nothing more can come from upstream and the operation that runs is the only thing left, the context only forwards it. It says so
/// downstream, and a follower there follows that operation instead: so a context that polls by recursion is a loop, of constant memory.
private final class Follower<Source: Sendable, Model: Sendable>: Sendable {
    private let switcher: ContextSwitcher<ContextEvent<Model>>
    private let operation: ContextOperation
    private let downstream: AnyObserver<ContextEvent<Model>>
    /// The handle on the operation that runs. Law 2: used only inside the switcher's serializer, like what follows.
    private let current = SerialState<(link: ContextLink, context: ContextEvent<Model>.Forwarded)?>(nil)
    private let isOuterDone = SerialState(false)

    init(_ downstream: AnyObserver<ContextEvent<Model>>, _ lifetime: Lifetime, _ operation: ContextOperation) {
        switcher = ContextSwitcher(downstream, lifetime)
        self.downstream = downstream
        self.operation = operation
    }

    func receive(
        _ event: Event<Outcome<Source>?>, of outer: Lifetime, _ step: @escaping @Sendable (Outcome<Source>) throws -> NextStep<Model>
    ) {
        guard switcher.serializer.tryEnter() else { return switcher.serializer.enqueue { [self] in take(event, of: outer, step) } }
        NestedSteps.run { [self] in
            take(event, of: outer, step)
            switcher.serializer.leave()
        }
    }

    private func take(
        _ event: Event<Outcome<Source>?>, of outer: Lifetime, _ step: @Sendable (Outcome<Source>) throws -> NextStep<Model>
    ) {
        guard !outer.isDisposed else { return }
        switch event {
        case .next(let outcome?):
            do { run(try step(outcome)) } catch { run(.outcome(.failure(error))) }
        case .next(nil): send(.cleared)
        case .error, .completed:
            isOuterDone.value = true
            switcher.outerCompleted(outer)
            forward()
        }
    }

    private func run(_ next: NextStep<Model>) {
        switch next {
        case .outcome(let outcome): send(.outcome(outcome))
        case .operation(let context): follow(context)
        }
    }

    private func send(_ event: ContextEvent<Model>) {
        current.value = nil
        switcher.disposeLatest()
        switcher.run(.just(event))
    }

    private func follow(_ context: Observer<Model>) {
        // Made before the one before is disposed: a context that is returned twice, or shared, is not cancelled in between.
        let link = ContextLink(context, operation)
        if let before = current.value, before.context.observer === context { before.link.disarm() }
        current.value = (link, .init(context))
        switcher.disposeLatest()
        let events = context.events(linkedBy: link)
        switcher.run(
            Observable { [self] downstream, lifetime in
                events.start(
                    AnyObserver { [self] event in
                        guard case .next(.forwards(let next)) = event else { return downstream.on(event) }
                        switcher.serializer.enqueue { [self] in
                            if !lifetime.isDisposed, let next = next.observer { replace(link, by: next) }
                        }
                    }, lifetime)
            })
    }

    /// Follows what the operation only forwards.
    private func replace(_ link: ContextLink, by next: Observer<Model>) {
        guard let before = current.value, before.link === link else { return }
        // What only forwarded is not cancelled: others may hold it.
        let forwarding = before.context.observer
        link.disarmForwarding()
        follow(next)
        switcher.serializer.enqueue { forwarding?.detachIfUnused() }
        forward()
    }

    /// Says what this context only forwards, if that is all it does.
    private func forward() {
        guard isOuterDone.value, let target = current.value?.context else { return }
        switcher.serializer.enqueue { [self] in downstream.onNext(.forwards(target)) }
    }
}
