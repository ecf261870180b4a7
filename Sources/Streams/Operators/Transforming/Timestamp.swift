import Schedulers

/// An element and when it came, by the clock of a scheduler.
public struct Timestamped<Value: Sendable>: Sendable {
    /// The element.
    public let value: Value
    /// When it came: the scheduler's `now`.
    public let time: Duration
}

extension Timestamped: Equatable where Value: Equatable {}

/// An element and how long it was waited for.
public struct Elapsed<Value: Sendable>: Sendable {
    /// The element.
    public let value: Value
    /// The time since the element before, or since the subscription.
    public let interval: Duration
}

extension Elapsed: Equatable where Value: Equatable {}

extension ObservableType {
    /// Sends each element with the time at which it came, by the clock of `scheduler`.
    ///
    /// ```swift
    /// letters.timestamp(scheduler: scheduler).map { "\($0.value)\($0.time / .seconds(1))" }
    /// // --a--b--|
    /// // --x--y--|   x = a2.0, y = b5.0
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, Timestamp](https://reactivex.io/documentation/operators/timestamp.html).
    public func timestamp(scheduler: any Scheduler) -> Observable<Timestamped<Element>> {
        map { Timestamped(value: $0, time: scheduler.now) }
    }

    /// Sends each element with the time since the one before, or since the subscription, by the clock of `scheduler`.
    ///
    /// ```swift
    /// letters.timeInterval(scheduler: scheduler).map { "\($0.value)\($0.interval / .seconds(1))" }
    /// // --a--b--|
    /// // --x--y--|   x = a2.0, y = b3.0
    /// ```
    ///
    /// Runs where upstream sends. Source: [ReactiveX, TimeInterval](https://reactivex.io/documentation/operators/timeinterval.html).
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
