import Schedulers

/// An observer that sets something on an object: a text on a label, rows on a table.
///
/// ```swift
/// let hidden = Binder(view) { view, isHidden in view.isHidden = isHidden }
/// ```
///
/// It holds its target weakly, takes elements only and runs its closure on the main loop (in place when it is there already and nothing
/// waits), or on a given scheduler. An error that reaches it is a programmer's mistake: `Hooks.errorInBinder`.
/// Source: [RxSwift, Binder](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Binder.swift).
public struct Binder<Value: Sendable>: ObserverType {
    private let scheduler: any Scheduler
    private let binding: @Sendable (Value) -> Void
    private let handover: Handover<Value>

    /// Makes a binder whose `binding` runs on the main loop, as main-actor code.
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

    /// Makes a binder whose `binding` runs on `scheduler`.
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

    /// Subscribes; when that is disposed, what waits for the scheduler is dropped.
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
                guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                if let error = event.error { Hooks.errorInBinder(error) }
                handover.send(event)
            }, upstream)
        return lifetime
    }
}
