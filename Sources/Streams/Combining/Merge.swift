extension Observable {
    /// Sends the elements of all `sources` as they come; completes when all have.
    ///
    /// ```swift
    /// Observable.merge(a, b)
    /// // a --1-----3--|
    /// // b -----2---------4--|
    /// //   --1--2--3------4--|
    /// ```
    ///
    /// An error ends it at once and lets all sources go; with `delayErrors` it waits for the others. Sources may send from any thread.
    /// Source: [ReactiveX, Merge](https://reactivex.io/documentation/operators/merge.html).
    @inlinable
    public static func merge(_ sources: Observable<Element>..., delayErrors: Bool = false) -> Observable<Element> {
        merge(sources, delayErrors: delayErrors)
    }

    /// Sends the elements of all `sources` as they come; completes when all have.
    @inlinable
    public static func merge(_ sources: [Observable<Element>], delayErrors: Bool = false) -> Observable<Element> {
        guard let only = sources.first else { return .empty() }
        guard sources.count > 1 else { return only }
        return Observable { downstream, lifetime in
            let merger = Merger(downstream, lifetime, active: sources.count, delayErrors: delayErrors)
            for source in sources {
                guard !lifetime.isDisposed else { return }
                merger.start(source)
            }
        }
    }
}

extension ObservableType where Element: ObservableType {
    /// Sends the elements of every inner stream as they come, of at most `maxConcurrent` at a time; the rest wait in a queue.
    public func merge(maxConcurrent: Int = .max) -> Observable<Element.Element> {
        asObservable().flatMap(maxConcurrent: maxConcurrent) { $0 }
    }

    /// Sends the elements of every inner stream, one stream after the other.
    public func concat() -> Observable<Element.Element> {
        asObservable().concatMap { $0 }
    }

    /// Sends the elements of the latest inner stream.
    public func switchLatest() -> Observable<Element.Element> {
        asObservable().flatMapLatest { $0 }
    }
}
