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
            let serializer = SharedSerializer(lifetime)
            let isOpen = SerialState(false)
            serializer.subscribe(toIndependent: notifier.take(1)) { event in
                switch event {
                case .next: isOpen.value = true
                case .error(let error): downstream.onError(error)
                case .completed: break
                }
            }
            serializer.subscribe(to: source, in: serializer.gate) { event in
                if isOpen.value || event.isStopEvent { downstream.on(event) }
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
