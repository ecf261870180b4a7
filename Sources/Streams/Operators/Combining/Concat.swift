extension Observable {
    /// Emits the elements of each of `sources`, one source after the other; a source is subscribed to when the previous one has completed.
    ///
    /// ```swift
    /// Observable.concat(numbers, others)
    /// // numbers --1--|
    /// // others  ---2---3--|
    /// //         --1----3--|        others is hot
    /// ```
    ///
    /// Each source is disposed before the next is subscribed to. Fails immediately at an error; with `delayErrors` the next source follows,
    /// and the first error is emitted at the end. Sources that complete synchronously do not grow the stack. Nothing of this stream is
    /// retained while the last source is active, so a source that leads back to this stream, such as `deferred { poll() }`, grows neither
    /// the stack nor the memory.
    ///
    /// Source: [ReactiveX, Concat](https://reactivex.io/documentation/operators/concat.html).
    @inlinable
    public static func concat(_ sources: Observable<Element>..., delayErrors: Bool = false) -> Observable<Element> {
        concat(sources, delayErrors: delayErrors)
    }

    /// Emits the elements of each of `sources`, one source after the other; the sequence is iterated lazily. Otherwise like
    /// ``concat(_:delayErrors:)``.
    @inlinable
    public static func concat(
        _ sources: some Sequence<Observable<Element>> & Sendable, delayErrors: Bool = false
    ) -> Observable<Element> {
        // Only an array tells which source is the last before another one is requested.
        let count = (sources as? [Observable<Element>])?.count
        return Observable { downstream, lifetime in
            let state = SerialState((sources: sources.makeIterator(), taken: 0, firstError: (any Error)?.none))
            SequenceSubscriber(downstream, lifetime) { event in
                if case .error(let error) = event {
                    guard delayErrors else { return nil }
                    state.value.firstError = state.value.firstError ?? error
                }
                if let next = state.value.sources.next() {
                    state.value.taken += 1
                    // With a delayed error, the error still follows the last source.
                    let isLast = state.value.taken == count && state.value.firstError == nil
                    return isLast ? .last(next) : .next(next)
                }
                if let first = state.value.firstError { throw first }
                return nil
            }.run()
        }
    }
}

extension ObservableType {
    /// Emits the elements of this stream and then those of `second`; otherwise like ``concat(_:delayErrors:)``.
    @inlinable
    public func concat(_ second: some ObservableConvertibleType<Element>, delayErrors: Bool = false) -> Observable<Element> {
        Observable.concat([asObservable(), second.asObservable()], delayErrors: delayErrors)
    }

    /// Emits `elements` and then the elements of this stream.
    ///
    /// ```swift
    /// numbers.startWith(8, 9)
    /// // -----1--2--|
    /// // (89)-1--2--|
    /// ```
    ///
    /// The elements are emitted before this stream is subscribed to.
    /// Source: [ReactiveX, StartWith](https://reactivex.io/documentation/operators/startwith.html).
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let rest = SerialState(elements[...])
            lifetime.emitEach {
                if let element = rest.value.popFirst() {
                    downstream.onNext(element)
                    return true
                }
                source.startLast(downstream, lifetime)
                return false
            }
        }
    }

    /// Emits the elements of this stream and then `elements`.
    ///
    /// ```swift
    /// numbers.endWith(8, 9)
    /// // --1--2--|
    /// // --1--2--(89|)
    /// ```
    ///
    /// Upstream is disposed before they are emitted. An error is forwarded without them. Source: [RxJS,
    /// endWith](https://rxjs.dev/api/operators/endWith).
    @inlinable
    public func endWith(_ elements: Element...) -> Observable<Element> {
        concat(Observable.from(elements))
    }
}
