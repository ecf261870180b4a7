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
    private let scheduler: any Scheduler
    private let binding: @Sendable (Value) -> Void
    private let handover: Handover<Value>

    /// Creates a binder whose `binding` is called on the main loop, as main-actor code.
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
    public init<Target: AnyObject & Sendable>(
        _ target: Target, scheduler: any Scheduler, binding: @escaping @Sendable (Target, Value) -> Void
    ) {
        self.init(scheduler: scheduler) { [weak target] value in
            guard let target else { return }
            binding(target, value)
        }
    }

    init(scheduler: any Scheduler, _ binding: @escaping @Sendable (Value) -> Void) {
        self.scheduler = scheduler
        self.binding = binding
        handover = Handover(to: scheduler, parent: nil, binding)
    }

    public func on(_ event: Event<Value>) {
        event.relayed { handover.send($0) }
    }

    /// Subscribes; elements queued for the scheduler are dropped on disposal.
    public func attach(to source: Observable<Value>) -> any Disposable {
        let lifetime = Lifetime()
        let handover = Handover<Event<Value>>(to: scheduler, parent: lifetime) { [binding] event in
            guard let value = event.element else { return lifetime.dispose() }
            binding(value)
        }
        handover.attach()
        let upstream = lifetime.child()
        source.start(
            AnyObserver { event in
                guard upstream.admits(event) else { return }
                if let error = event.error { Hooks.errorInBinder(error) }
                handover.send(event)
            }, upstream)
        return lifetime
    }
}
