extension ObservableType {
    /// Skips elements while `predicate` holds, and emits all elements from the first for which it does not hold; fails if it throws.
    ///
    /// ```swift
    /// numbers.skip(while: { $0 < 3 })
    /// // --1--2--3--1--|
    /// // --------3--1--|
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, SkipWhile](https://reactivex.io/documentation/operators/skipwhile.html).
    @inlinable @inline(__always)
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let isOpen = SerialState(false)
            start(
                downstream.forwarding { element in
                    if !isOpen.value {
                        guard try !predicate(element) else { return }
                        isOpen.value = true
                    }
                    downstream.onNext(consume element)
                }, lifetime)
        }
    }

    /// Skips elements until `notifier` emits. Completes with this stream; the notifier's completion is ignored, its error is forwarded.
    ///
    /// ```swift
    /// numbers.skip(until: letters)
    /// // numbers --1--2--3--4--|
    /// // letters -------x------
    /// //         --------3--4--|
    /// ```
    ///
    /// The notifier is subscribed to first, and disposed when it has emitted. Stores nothing.
    /// Source: [ReactiveX, SkipUntil](https://reactivex.io/documentation/operators/skipuntil.html).
    @inlinable
    public func skip<Notifier: ObservableConvertibleType>(until notifier: Notifier) -> Observable<Element> {
        let (source, notifier) = (asObservable(), notifier.asObservable())
        return Observable { downstream, lifetime in
            let skipping = SerialOperator(true, emittingTo: downstream, in: lifetime)
            skipping.start(independent: notifier.take(1)) { event in
                skipping.receive(independent: event) { skipping, event in
                    switch event {
                    case .next: skipping.value = false
                    case .error(let error): skipping.downstream.onError(error)
                    case .completed: break
                    }
                }
            }
            skipping.start(main: source) { event in
                skipping.receive(outlived: event) { skipping, event in
                    if !skipping.value || event.isStopEvent { skipping.downstream.on(event) }
                }
            }
        }
    }

    /// Skips the last `count` elements: each is emitted when `count` more have been received. A negative count is treated as 0.
    ///
    /// ```swift
    /// numbers.skipLast(2)
    /// // --1--2--3--4--|
    /// // --------1--2--|
    /// ```
    ///
    /// Runs where upstream emits; stores `count` elements.
    /// Source: [ReactiveX, SkipLast](https://reactivex.io/documentation/operators/skiplast.html).
    @inlinable
    public func skipLast(_ count: Int) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let waiting = SerialState(ElementQueue<Element>())
            start(
                downstream.forwarding { element in
                    waiting.value.append(element)
                    guard waiting.value.count > Swift.max(0, count), let first = waiting.value.popFirst() else { return }
                    downstream.onNext(first)
                }, lifetime)
        }
    }
}
