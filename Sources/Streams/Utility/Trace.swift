extension ObservableType {
    /// Remembers the place where this chain was built. An error of the chain that nobody handles, and `debug`, say it.
    ///
    /// ```swift
    /// let quotes = service.quotes().map(\.price).trace()
    /// // Streams: unhandled error: ..., traced at App/Quotes.swift:12
    /// ```
    ///
    /// Events pass unchanged, and without any cost. Of several in one chain the last counts; what is shared has a chain of its own.
    /// Source: [RxJava, assembly tracking](https://github.com/akarnokd/RxJavaExtensions#debug-support).
    public func trace(file: StaticString = #fileID, line: UInt = #line) -> Observable<Element> {
        let start = asObservable().start
        let place = TracedPlace(file: file, line: line)
        return Observable { downstream, lifetime in
            lifetime.remember(place)
            start(downstream, lifetime)
        }
    }
}
