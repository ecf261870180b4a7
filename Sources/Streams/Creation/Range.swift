extension Observable where Element: FixedWidthInteger {
    @inlinable @inline(__always)
    public static func range(start first: Element, count: Int) -> Observable<Element> {
        Observable { downstream, lifetime in
            var element = first
            for _ in 0..<count {
                guard !lifetime.isDisposed else { return }
                downstream.onNext(element)
                element &+= 1
            }
            downstream.onCompleted()
        }
    }
}
