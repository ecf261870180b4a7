import Schedulers

/// An observer that sets a property of an object: the text of a label, the rows of a table.
///
/// ```swift
/// let hidden = Binder(view) { view, isHidden in view.isHidden = isHidden }
/// ```
///
/// It references its target weakly, accepts elements only and calls its closure on the main loop (synchronously if it is there already and
/// nothing is queued), or on a given scheduler. An error is a programming mistake: `Hooks.errorInBinder`.
/// Source: [RxSwift, Binder](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Binder.swift).
public struct Binder<Value: Sendable>: ObserverType {
    @usableFromInline let scheduler: any Scheduler
    @usableFromInline let binding: @Sendable (Value) -> Void
    @usableFromInline let queue: DrainQueue<Value>

    /// Creates a binder whose `binding` is called on the main loop, as main-actor code.
    @inlinable
    public init<Target: AnyObject & Sendable>(
        _ target: Target, binding: @escaping @MainActor @Sendable (Target, Value) -> Void
    ) {
        self.init(scheduler: MainScheduler.instance) { [weak target] value in
            MainScheduler.runOnMainActor {
                guard let target else { return }
                binding(target, value)
            }
        }
    }

    /// Creates a binder whose `binding` is called on `scheduler`.
    @inlinable
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: any Scheduler, binding: @escaping @Sendable (Target, Value) -> Void
    ) {
        self.init(scheduler: scheduler) { [weak target] value in
            guard let target else { return }
            binding(target, value)
        }
    }

    @inlinable
    init(scheduler: any Scheduler, _ binding: @escaping @Sendable (Value) -> Void) {
        self.scheduler = scheduler
        self.binding = binding
        let observer = AnyObserver<Value> { event in if let value = event.element { binding(value) } }
        queue = DrainQueue(on: scheduler, parent: nil, observer)
    }

    @inlinable
    public func on(_ event: Event<Value>) {
        event.relayed { queue.send(.next($0)) }
    }

    /// Subscribes; elements queued for the scheduler are dropped on disposal.
    @inlinable
    public func attach(to source: Observable<Value>) -> any Disposable {
        let lifetime = Lifetime()
        let observer = AnyObserver<Value> { [binding] event in
            guard let value = event.element else { return lifetime.dispose() }
            binding(value)
        }
        let queue = DrainQueue(on: scheduler, parent: lifetime, observer)
        queue.attach()
        let upstream = lifetime.child()
        source.subscribe(in: upstream) { event in
            if let error = event.error { Hooks.errorInBinder(error) }
            queue.send(event)
        }
        return lifetime
    }
}
