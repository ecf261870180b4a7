import Schedulers

extension Observable {
    /// Emits the results of `next`, each as an action of `scheduler`, and completes when `next` returns `nil`; fails if it throws.
    ///
    /// `makeNext` is called for each subscriber. A scheduler that runs its actions synchronously does not grow the stack (law 5).
    @inlinable
    static func emitting(
        on scheduler: any Scheduler, _ makeNext: @escaping @Sendable () -> () throws -> Element?
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let next = SerialState(makeNext())
            let pending = PlannedMember(in: lifetime)
            let serializer = SharedSerializer(lifetime)
            @Sendable func send() {
                guard !lifetime.isDisposed else { return }
                if lifetime.isSuspended { return serializer.runWhenResumed(plan) }
                do {
                    guard let element = try next.value() else { return downstream.onCompleted() }
                    downstream.onNext(element)
                } catch { return downstream.onError(error) }
                plan()
            }
            @Sendable func plan() {
                pending.planned.plan { scheduler.schedule { serializer.run { send() } } }
            }
            plan()
        }
    }
}
