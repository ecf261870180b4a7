extension ObservableType {
    /// Emits each element together with the previous one.
    ///
    /// ```swift
    /// numbers.pairwise().map { $1 - $0 }
    /// // --1--2--4--|
    /// // -----1--2--|
    /// ```
    ///
    /// Runs where upstream emits; keeps one element. Source: [RxJS, pairwise](https://rxjs.dev/api/operators/pairwise).
    @inlinable
    public func pairwise() -> Observable<(Element, Element)> {
        let start = asObservable().start
        return Observable<(Element, Element)> { downstream, lifetime in
            let previous = SerialState<Element?>(nil)
            start(
                downstream.forwarding { element in
                    let before = previous.value
                    previous.value = element
                    if let before { downstream.onNext((before, element)) }
                }, lifetime)
        }
    }

    /// Emits, from the `count`th element on, the last `count` elements. A count below 1 is treated as 1.
    ///
    /// ```swift
    /// numbers.nwise(3)
    /// // -1-2-3-4-|
    /// // -----a-b-|   a = [1, 2, 3], b = [2, 3, 4]
    /// ```
    ///
    /// Runs where upstream emits; O(count) for each element.
    /// Source: [RxSwiftExt, nwise](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func nwise(_ count: Int) -> Observable<[Element]> {
        let count = Swift.max(1, count)
        return buffer(count: count, skip: 1).filter { $0.count == count }
    }

    /// Emits each element with its index, counted from 0.
    ///
    /// ```swift
    /// letters.enumerated().map { "\($0.index)\($0.element)" }
    /// // --a--b--|
    /// // --x--y--|   x = 0a, y = 1b
    /// ```
    ///
    /// Runs where upstream emits. Source: [ReactiveX, Map](https://reactivex.io/documentation/operators/map.html).
    @inlinable @inline(__always)
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        let start = asObservable().start
        return Observable<(index: Int, element: Element)> { downstream, lifetime in
            let next = SerialState(0)
            start(
                downstream.forwarding { element in
                    let index = next.value
                    next.value += 1
                    downstream.onNext((index, element))
                }, lifetime)
        }
    }
}
