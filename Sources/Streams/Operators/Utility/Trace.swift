extension ObservableType {
    /// Records the place where this chain was built, under `name`, for `Hooks.unhandledError`, `debug` and the test kit's failures.
    ///
    /// ```swift
    /// numbers.trace("numbers")
    /// // --1--#
    /// // --1--#
    /// // Streams: unhandled error: ..., traced at numbers (App/Quotes.swift:12)
    /// ```
    ///
    /// Events are forwarded unchanged, at no cost. If one chain has several traces, the last counts; a shared stream has a chain of its
    /// own. Source: [RxJava, assembly tracking](https://github.com/akarnokd/RxJavaExtensions#debug-support).
    @inlinable
    public func trace(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) -> Observable<Element> {
        let start = asObservable().start
        let place = Hooks.Place(name: name, file: file, line: line)
        return Observable { downstream, lifetime in
            lifetime.remember(place)
            start(downstream, lifetime)
        }
    }
}

extension Hooks {
    /// A source location recorded by `trace()`.
    public final class Place: Sendable, CustomStringConvertible {
        /// The name passed to the trace, if any.
        public let name: String?
        /// The module and the file.
        public let file: StaticString
        /// The line, counted from 1.
        public let line: UInt

        @usableFromInline
        init(name: String?, file: StaticString, line: UInt) {
            self.name = name
            self.file = file
            self.line = line
        }

        /// The name, if there is one, the file and the line.
        public var description: String {
            name.map { "\($0) (\(file):\(line))" } ?? "\(file):\(line)"
        }
    }
}
