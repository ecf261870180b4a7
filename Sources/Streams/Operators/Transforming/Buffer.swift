import Schedulers

extension ObservableType {
    /// Emits arrays of the elements received within `timeSpan`, or of `count` elements if these are received sooner, on `scheduler`.
    ///
    /// ```swift
    /// numbers.buffer(timeSpan: .seconds(4), count: 2, scheduler: scheduler)
    /// // -1-2-3------|
    /// // ---a---b---c(d|)   a = [1, 2], b = [3], c = [], d = []
    /// ```
    ///
    /// A span begins with the subscription, and again with each array. Spans without elements produce empty arrays. Completion emits the
    /// elements of the current span; an error drops them. Timer and upstream are disposed on termination. Stores one array. Source:
    /// [RxSwift, buffer; ReactiveX, Buffer](https://reactivex.io/documentation/operators/buffer.html).
    @inlinable
    public func buffer(timeSpan: Duration, count: Int = .max, scheduler: any Scheduler) -> Observable<[Element]> {
        let source = asObservable()
        return Observable<[Element]> { downstream, lifetime in
            source.cut(into: .arrays(to: downstream, in: lifetime), in: lifetime, every: timeSpan, count: count, scheduler: scheduler)
        }
    }

    /// Emits an array of the elements since the last one whenever `boundary` emits, and an array of the remaining elements on completion.
    ///
    /// ```swift
    /// numbers.buffer(boundary: letters)
    /// // numbers -1-2-3----|
    /// // letters ----x---x--
    /// //         ----a---b-(c|)   a = [1, 2], b = [3], c = []
    /// ```
    ///
    /// `boundary` is subscribed to first: an element that is its own boundary, as in `numbers.buffer(boundary: numbers.filter { $0 == 0 })` of
    /// a hot stream, begins the next array. The completion of `boundary` is ignored, its error is forwarded. An error drops the remaining
    /// elements. Both streams are disposed on termination. Stores one array. Source: [ReactiveX, Buffer](https://reactivex.io/documentation/operators/buffer.html).
    @inlinable
    public func buffer<Boundary: ObservableConvertibleType>(boundary: Boundary) -> Observable<[Element]> {
        let source = asObservable()
        let boundary = boundary.asObservable()
        return Observable<[Element]> { downstream, lifetime in
            source.cut(into: .arrays(to: downstream, in: lifetime), in: lifetime, at: boundary)
        }
    }

    /// Emits arrays of `count` elements each, which begin `skip` elements apart (by default `count`). On completion the incomplete arrays
    /// are emitted.
    ///
    /// ```swift
    /// numbers.buffer(count: 2)
    /// // -1-2-3-|
    /// // ---a---(b|)   a = [1, 2], b = [3]
    /// ```
    ///
    /// Counts below 1 are treated as 1. An error drops incomplete arrays. Runs where upstream emits. Stores the overlapping arrays. Source:
    /// [ReactiveX, Buffer](https://reactivex.io/documentation/operators/buffer.html).
    @inlinable
    public func buffer(count: Int, skip: Int? = nil) -> Observable<[Element]> {
        asObservable()._buffer(count: Swift.max(1, count), skip: Swift.max(1, skip ?? count))
    }
}

extension Observable {
    /// Only the oldest open array is stored: all other open arrays are ends of it.
    @inlinable
    func _buffer(count: Int, skip: Int) -> Observable<[Element]> {
        let start = start
        return Observable<[Element]> { downstream, lifetime in
            let state = SerialState((open: [Element](), skipped: 0))
            start(
                AnyObserver.receiving { event in
                    switch event.take() {
                    case .next(let element):
                        guard state.value.skipped == 0 else { return state.value.skipped -= 1 }
                        state.value.open.append(element)
                        guard state.value.open.count == count else { return }
                        let full = state.value.open
                        state.value = ([], Swift.max(0, skip - count))
                        state.value.open.reserveCapacity(count)
                        state.value.open.append(contentsOf: full.dropFirst(skip))
                        downstream.onNext(full)
                    case .error(let error): downstream.onError(error)
                    case .completed:
                        for first in stride(from: 0, to: state.value.open.count, by: skip) where !lifetime.isDisposed {
                            downstream.onNext(Array(state.value.open[first...]))
                        }
                        if !lifetime.isDisposed { downstream.onCompleted() }
                    }
                }, lifetime)
        }
    }
}

extension BufferBoundary {
    /// Emits the elements between two boundaries as an array.
    @inlinable
    static func arrays(to downstream: AnyObserver<[Element]>, in lifetime: Lifetime) -> BufferBoundary {
        let current = SerialState([Element]())
        @Sendable func send() {
            let elements = current.value
            current.value = []
            downstream.onNext(elements)
        }
        return BufferBoundary(
            add: { current.value.append($0) },
            cut: send,
            finish: { event in
                if case .error(let error) = event { return downstream.onError(error) }
                send()
                if !lifetime.isDisposed { downstream.onCompleted() }
            })
    }
}
