extension Observable {
    /// Sends the elements of all `sources` as they come; completes when all have.
    ///
    /// ```swift
    /// Observable.merge(numbers, others)
    /// // numbers --1-----3--|
    /// // others  -----2---------4--|
    /// //         --1--2--3------4--|
    /// ```
    ///
    /// An error ends it at once and lets all sources go; with `delayErrors` it waits for the others. Sources may send from any thread; an
    /// element costs constant time. Source: [ReactiveX, Merge](https://reactivex.io/documentation/operators/merge.html).
    @inlinable
    public static func merge(_ sources: Observable<Element>..., delayErrors: Bool = false) -> Observable<Element> {
        merge(sources, delayErrors: delayErrors)
    }

    /// Sends the elements of all `sources` as they come; otherwise as ``merge(_:delayErrors:)``.
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

extension ObservableType where Element: ObservableType {
    /// Sends the elements of every inner stream as they come, of at most `maxConcurrent` (at least one) at a time; the others wait for
    /// their turn, as many of them as `overflow` allows.
    ///
    /// ```swift
    /// letters.map(load).merge(maxConcurrent: 1, overflow: .latest)
    /// // -abc--------|        each is loaded for three seconds
    /// // ----a--c----|
    /// ```
    ///
    /// A stream that is dropped is never subscribed to. With `.fail`, one stream too many is an error of upstream: `StreamError.overflow`.
    /// An error ends it at once and lets all streams go; with `delayErrors` it is sent when all have ended. Source: [ReactiveX,
    /// Merge](https://reactivex.io/documentation/operators/merge.html).
    public func merge(
        maxConcurrent: Int = .max, overflow: BufferingPolicy = .unbounded, delayErrors: Bool = false
    ) -> Observable<Element.Element> {
        asObservable()._flatMap(maxConcurrent: maxConcurrent, overflow: overflow, delayErrors: delayErrors) { $0.asObservable() }
    }

    /// Sends the elements of every inner stream, one stream after the other; those whose turn has not come wait without bound.
    ///
    /// ```swift
    /// letters.map(load).concat()
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a--b----|
    /// ```
    ///
    /// Otherwise as ``merge(maxConcurrent:overflow:delayErrors:)``, of one stream at a time.
    /// Source: [ReactiveX, Concat](https://reactivex.io/documentation/operators/concat.html).
    public func concat(delayErrors: Bool = false) -> Observable<Element.Element> {
        asObservable().concatMap(delayErrors: delayErrors) { $0 }
    }

    /// Sends the elements of the latest inner stream; the one before is let go.
    ///
    /// ```swift
    /// letters.map(load).switchLatest()
    /// // -a-b--------|        each is loaded for three seconds
    /// // ------b-----|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. An error ends it at once and lets both go.
    /// Source: [ReactiveX, Switch](https://reactivex.io/documentation/operators/switch.html).
    public func switchLatest() -> Observable<Element.Element> {
        asObservable().flatMapLatest { $0 }
    }
}
