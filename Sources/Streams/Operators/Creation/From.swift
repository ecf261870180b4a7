import Schedulers

extension Observable {
    /// Emits the elements of a sequence and completes; checks before each element whether the subscription is disposed.
    ///
    /// ```swift
    /// Observable.from([1, 2, 3])
    /// // (123|)
    /// ```
    ///
    /// Emits synchronously while subscribing. Source: [ReactiveX, From](https://reactivex.io/documentation/operators/from.html).
    @inlinable @inline(__always)
    public static func from(_ elements: some Sequence<Element> & Sendable) -> Observable<Element> {
        let constant = Constant(elements)
        return Observable { downstream, lifetime in emit(constant.value.makeIterator(), to: downstream, in: lifetime) }
    }

    /// Emits the elements of an iterator until `lifetime` is disposed; while it is suspended, the other elements are kept for later.
    @inlinable @inline(__always)
    static func emit<Iterator: IteratorProtocol<Element>>(
        _ iterator: consuming Iterator, to downstream: AnyObserver<Element>, in lifetime: Lifetime
    ) {
        // Without a gate nothing can suspend the source, so its loop need not ask before each element.
        if !lifetime.canBeSuspended {
            while !lifetime.isDisposed {
                guard let element = iterator.next() else { return downstream.onCompleted() }
                downstream.onNext(element)
            }
            return
        }
        while lifetime.mayEmit {
            guard let element = iterator.next() else { return downstream.onCompleted() }
            downstream.onNext(element)
        }
        guard !lifetime.isDisposed else { return }
        lifetime.emitRest(of: iterator, to: downstream)
    }

    /// Emits the elements of a sequence, each as an action of `scheduler`, and completes; otherwise like
    /// ``from(_:)-(SendableSequence<Element>)``.
    @inlinable
    public static func from(_ elements: some Sequence<Element> & Sendable, scheduler: any Scheduler) -> Observable<Element> {
        emitting(on: scheduler) {
            var iterator = elements.makeIterator()
            return { iterator.next() }
        }
    }

    /// Emits the given elements and completes.
    ///
    /// ```swift
    /// Observable.of("a", "b")
    /// // (ab|)
    /// ```
    ///
    /// Emits synchronously while subscribing. Source: [ReactiveX, Just](https://reactivex.io/documentation/operators/just.html).
    @inlinable @inline(__always)
    public static func of(_ elements: Element...) -> Observable<Element> {
        from(elements)
    }

    /// Emits the given elements, each as an action of `scheduler`, and completes; otherwise like ``of(_:)``.
    @inlinable
    public static func of(_ elements: Element..., scheduler: any Scheduler) -> Observable<Element> {
        from(elements, scheduler: scheduler)
    }

    /// Emits the value of an optional, if there is one, and completes.
    ///
    /// ```swift
    /// Observable.from(optional: Int("7"))
    /// // (7|)
    /// ```
    ///
    /// Emits synchronously while subscribing. Source: [RxSwift, from(optional:)](https://reactivex.io/documentation/operators/from.html).
    @inlinable
    public static func from(optional element: Element?) -> Observable<Element> {
        guard let element else { return .empty() }
        return .just(element)
    }

    /// Emits the value of an optional, if there is one, and completes, on `scheduler`; otherwise like ``from(optional:)``.
    @inlinable
    public static func from(optional element: Element?, scheduler: any Scheduler) -> Observable<Element> {
        from(element.map { [$0] } ?? [], scheduler: scheduler)
    }
}

extension Observable where Element: FixedWidthInteger {
    /// Emits `count` ascending integers from `start` and completes.
    ///
    /// ```swift
    /// Observable.range(start: 3, count: 3)
    /// // (345|)
    /// ```
    ///
    /// Emits synchronously while subscribing; checks before each element whether the subscription is disposed.
    ///
    /// - Precondition: `count` is not negative, and the last integer is in the range of the type.
    /// Source: [ReactiveX, Range](https://reactivex.io/documentation/operators/range.html).
    @inlinable @inline(__always)
    public static func range(start first: Element, count: Int) -> Observable<Element> {
        expectRange(from: first, count: count)
        return Observable { downstream, lifetime in
            emit(RangeIterator(first: first, count: count), to: downstream, in: lifetime)
        }
    }

    /// Emits `count` ascending integers from `start`, each as an action of `scheduler`, and completes; otherwise like
    /// ``range(start:count:)``.
    ///
    /// - Precondition: as for ``range(start:count:)``.
    @inlinable
    public static func range(start first: Element, count: Int, scheduler: any Scheduler) -> Observable<Element> {
        expectRange(from: first, count: count)
        return Observable<Int>.from(0..<count, scheduler: scheduler).map { first &+ Element(truncatingIfNeeded: $0) }
    }

    @inlinable
    static func expectRange(from first: Element, count: Int) {
        precondition(count >= 0, "range(start:count:) needs a count that is not negative")
        let room = Element.Magnitude(truncatingIfNeeded: Element.max) &- Element.Magnitude(truncatingIfNeeded: first)
        precondition(count == 0 || count - 1 <= room, "range(start:count:) goes beyond what its type can hold")
    }
}

@usableFromInline
struct RangeIterator<Element: FixedWidthInteger>: IteratorProtocol {
    @usableFromInline let first: Element
    @usableFromInline let count: Int
    @usableFromInline var offset = 0

    @inlinable
    init(first: Element, count: Int) {
        (self.first, self.count) = (first, count)
    }

    @inlinable
    mutating func next() -> Element? {
        guard offset < count else { return nil }
        defer { offset &+= 1 }
        return first &+ Element(truncatingIfNeeded: offset)
    }
}
