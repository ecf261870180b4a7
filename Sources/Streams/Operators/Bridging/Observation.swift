import Observation
import Schedulers

extension Observable {
    /// Emits the value that `value` reads from `@Observable` models, initially and after each change of a property read, on the main loop.
    ///
    /// ```swift
    /// Observable.observe { model.title }.distinctUntilChanged().bind(to: label.rx.text)
    /// // a--b---c--
    /// ```
    ///
    /// Changes within one turn of the main loop are coalesced. Stores no value. Source: [Swift,
    /// Observation](https://developer.apple.com/documentation/observation/withobservationtracking(_:onchange:)).
    public static func observe(_ value: @escaping @MainActor @Sendable () -> Element) -> Observable<Element> {
        Observable { downstream, lifetime in
            let reading = ObservationTracker(value, downstream, parent: lifetime)
            guard reading.attach() else { return }
            guard !MainScheduler.instance.canRunSynchronously else { return reading.read() }
            reading.readLater()
        }
    }
}

/// Reads a value again after each change. A model retains its change handler, so the handler must not retain the subscription.
private final class ObservationTracker<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    // Law 4: the lifetime owns this object, and none of its own properties change.
    private let value: @MainActor @Sendable () -> Element
    private let downstream: AnyObserver<Element>
    private let mark = Resources.Mark("ObservationTracker")

    init(_ value: @escaping @MainActor @Sendable () -> Element, _ downstream: AnyObserver<Element>, parent: Lifetime) {
        (self.value, self.downstream) = (value, downstream)
        super.init(parent: parent)
    }

    /// Main loop only.
    func read() {
        guard isAlive else { return }
        MainScheduler.runOnMainActor {
            let current = withObservationTracking(value) { [weak self] in self?.readLater() }
            downstream.onNext(current)
        }
    }

    func readLater() {
        _ = MainScheduler.asyncInstance.schedule { [weak self] in self?.read() }
    }
}
