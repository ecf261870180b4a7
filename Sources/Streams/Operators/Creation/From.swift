extension Observable {
    /// Sends the elements of a sequence and completes; looks before each whether somebody still listens.
    ///
    /// ```swift
    /// Observable.from([1, 2, 3])
    /// // (123|)
    /// ```
    ///
    /// Sends in place, while subscribing. Source: [ReactiveX, From](https://reactivex.io/documentation/operators/from.html).
    @inlinable @inline(__always)
    public static func from(_ elements: some Sequence<Element> & Sendable) -> Observable<Element> {
        Observable { downstream, lifetime in
            for element in elements {
                guard !lifetime.isDisposed else { return }
                downstream.onNext(element)
            }
            guard !lifetime.isDisposed else { return }
            downstream.onCompleted()
        }
    }

    /// Sends the given elements and completes.
    ///
    /// ```swift
    /// Observable.of("a", "b")
    /// // (ab|)
    /// ```
    ///
    /// Sends in place, while subscribing. Source: [ReactiveX, Just](https://reactivex.io/documentation/operators/just.html).
    @inlinable @inline(__always)
    public static func of(_ elements: Element...) -> Observable<Element> {
        from(elements)
    }

    /// Sends the element of an optional, if there is one, and completes.
    ///
    /// ```swift
    /// Observable.from(optional: Int("7"))
    /// // (7|)
    /// ```
    ///
    /// Sends in place, while subscribing. Source: [RxSwift, from(optional:)](https://reactivex.io/documentation/operators/from.html).
    @inlinable
    public static func from(optional element: Element?) -> Observable<Element> {
        guard let element else { return .empty() }
        return .just(element)
    }
}

extension Observable where Element: FixedWidthInteger {
    /// Sends `count` integers from `start` upwards and completes.
    ///
    /// ```swift
    /// Observable.range(start: 3, count: 3)
    /// // (345|)
    /// ```
    ///
    /// Sends in place, while subscribing; looks before each whether somebody still listens. A negative count, or a last integer that the
    /// type cannot hold, is a programmer's mistake and stops the program.
    /// Source: [ReactiveX, Range](https://reactivex.io/documentation/operators/range.html).
    @inlinable @inline(__always)
    public static func range(start first: Element, count: Int) -> Observable<Element> {
        precondition(count >= 0, "range(start:count:) needs a count that is not negative")
        let room = Element.Magnitude(truncatingIfNeeded: Element.max) &- Element.Magnitude(truncatingIfNeeded: first)
        precondition(count == 0 || count - 1 <= room, "range(start:count:) goes beyond what its type can hold")
        return Observable { downstream, lifetime in
            for offset in 0..<count {
                guard !lifetime.isDisposed else { return }
                downstream.onNext(first &+ Element(truncatingIfNeeded: offset))
            }
            guard !lifetime.isDisposed else { return }
            downstream.onCompleted()
        }
    }
}
