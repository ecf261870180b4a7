extension Observable {
    /// Emits the elements of all `sources`; completes when all have.
    ///
    /// ```swift
    /// Observable.merge(numbers, others)
    /// // numbers --1-----3--|
    /// // others  -----2---------4--|
    /// //         --1--2--3------4--|
    /// ```
    ///
    /// Fails immediately at an error and disposes all sources; with `delayErrors` it waits for the others. Sources may emit on any thread;
    /// O(1) for each element.
    ///
    /// Source: [ReactiveX, Merge](https://reactivex.io/documentation/operators/merge.html).
    @inlinable
    public static func merge(_ sources: Observable<Element>..., delayErrors: Bool = false) -> Observable<Element> {
        merge(sources, delayErrors: delayErrors)
    }

    /// Emits the elements of all `sources`; otherwise like ``merge(_:delayErrors:)``.
    @inlinable
    public static func merge(_ sources: [Observable<Element>], delayErrors: Bool = false) -> Observable<Element> {
        guard let only = sources.first else { return .empty() }
        guard sources.count > 1 else { return only }
        return Observable { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime, active: sources.count, delayErrors: delayErrors)
            for source in sources { merge.subscribe(to: source) }
        }
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of the inner streams. At most `maxConcurrent` of them (at least one) are active; the queue holds as many others
    /// as `overflow` allows.
    ///
    /// ```swift
    /// letters.map(load).merge(maxConcurrent: 1, overflow: .latest)
    /// // -abc--------|        each is loaded for three seconds
    /// // ----a--c----|
    /// ```
    ///
    /// A dropped stream is never subscribed to. With `.fail`, a stream that does not fit is an error of upstream: `StreamError.overflow`.
    /// Fails immediately at an error and disposes all streams; with `delayErrors` the error is emitted when all have terminated.
    ///
    /// Source: [ReactiveX, Merge](https://reactivex.io/documentation/operators/merge.html).
    @inlinable
    public func merge(
        maxConcurrent: Int = .max, overflow: BufferingPolicy = .waitingForTurn, delayErrors: Bool = false
    ) -> Observable<Element.Element> {
        asObservable()._flatMap(maxConcurrent: maxConcurrent, overflow: overflow, delayErrors: delayErrors) { $0.asInnerObservable() }
    }

    /// Emits the elements of every inner stream, one stream after the other; while 16 streams wait, upstream is suspended.
    ///
    /// ```swift
    /// letters.map(load).concat()
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a--b----|
    /// ```
    ///
    /// Otherwise like ``merge(maxConcurrent:overflow:delayErrors:)``, with one active stream.
    /// Source: [ReactiveX, Concat](https://reactivex.io/documentation/operators/concat.html).
    @inlinable
    public func concat(delayErrors: Bool = false) -> Observable<Element.Element> {
        asObservable().concatMap(delayErrors: delayErrors) { $0 }
    }

    /// Emits the elements of the latest inner stream; the previous one is disposed.
    ///
    /// ```swift
    /// letters.map(load).switchLatest()
    /// // -a-b--------|        each is loaded for three seconds
    /// // ------b-----|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. Fails immediately at an error and disposes both.
    /// Source: [ReactiveX, Switch](https://reactivex.io/documentation/operators/switch.html).
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        asObservable().flatMapLatest { $0 }
    }
}
