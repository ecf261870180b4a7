extension Observable {
    @inlinable @inline(__always)
    public static func from(_ elements: some Sequence<Element> & Sendable) -> Observable<Element> {
        Observable { downstream, lifetime in
            for element in elements {
                guard !lifetime.isDisposed else { return }
                downstream.onNext(element)
            }
            downstream.onCompleted()
        }
    }
}
