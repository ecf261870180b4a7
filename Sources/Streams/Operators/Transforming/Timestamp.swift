import Schedulers

/// An element and the time at which it was received, by the clock of a scheduler.
public struct Timestamped<Value: Sendable>: Sendable {
    @usableFromInline init(value: Value, time: Duration) { (self.value, self.time) = (value, time) }

    /// The element.
    public let value: Value
    /// The time of the element: the scheduler's `now`.
    public let time: Duration
}

extension Timestamped: Equatable where Value: Equatable {}

/// An element and the time since the previous one.
public struct Elapsed<Value: Sendable>: Sendable {
    @usableFromInline init(value: Value, interval: Duration) { (self.value, self.interval) = (value, interval) }

    /// The element.
    public let value: Value
    /// The time since the previous element, or since the subscription.
    public let interval: Duration
}

extension Elapsed: Equatable where Value: Equatable {}

extension ObservableType {
    /// Emits each element with the time at which it was received, by the clock of `scheduler`.
    ///
    /// ```swift
    /// letters.timestamp(scheduler: scheduler).map { "\($0.value)\($0.time / .seconds(1))" }
    /// // --a--b--|
    /// // --x--y--|   x = a2.0, y = b5.0
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Timestamp](https://reactivex.io/documentation/operators/timestamp.html).
    @inlinable
    public func timestamp(scheduler: any Scheduler) -> Observable<Timestamped<Element>> {
        map { Timestamped(value: $0, time: scheduler.now) }
    }

    /// Emits each element with the time since the previous one, or since the subscription, by the clock of `scheduler`.
    ///
    /// ```swift
    /// letters.timeInterval(scheduler: scheduler).map { "\($0.value)\($0.interval / .seconds(1))" }
    /// // --a--b--|
    /// // --x--y--|   x = a2.0, y = b3.0
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, TimeInterval](https://reactivex.io/documentation/operators/timeinterval.html).
    @inlinable
    public func timeInterval(scheduler: any Scheduler) -> Observable<Elapsed<Element>> {
        let start = asObservable().start
        return Observable<Elapsed<Element>> { downstream, lifetime in
            let last = SerialState(scheduler.now)
            start(
                downstream.forwarding { element in
                    let now = scheduler.now
                    let interval = now - last.value
                    last.value = now
                    downstream.onNext(Elapsed(value: element, interval: interval))
                }, lifetime)
        }
    }
}
