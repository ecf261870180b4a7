extension ObservableType {
    /// Maps an element to a stream and emits its elements; elements received while that stream is active are skipped.
    ///
    /// ```swift
    /// letters.flatMapFirst { letter in load(letter) }
    /// // -a-b---c-----|        each is loaded for three seconds
    /// // ----a-----c--|
    /// ```
    ///
    /// Completes when upstream and the inner stream have. Fails immediately at an error or if the closure throws, and disposes both.
    /// Source: [RxSwift, flatMapFirst; RxJS, exhaustMap](https://rxjs.dev/api/operators/exhaustMap).
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable<Source.Element> { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime)
            source.subscribe(in: merge.gate.child()) { event in
                guard case .next(let element) = event else { return merge.terminate(event.terminal()) }
                if merge.hasInner { return }
                do { merge.merge(try selector(element).asInnerObservable()) } catch { merge.fail(with: error) }
            }
        }
    }
}
