import Foundation

extension ObservableType {
    /// Prints the events of this stream: the subscription, each event, and the disposal. Each line has `identifier`, or the source
    /// location.
    ///
    /// ```swift
    /// numbers.debug("numbers")
    /// // --1--|
    /// // --1--|
    /// // 12:30:01.250 numbers subscribed
    /// // 12:30:03.250 numbers next(1)
    /// ```
    ///
    /// `output` receives each line on the thread of the event; by default it is printed. With `trimOutput`, elements longer than 40
    /// characters are truncated. Source: [RxSwift, debug](https://reactivex.io/documentation/operators/do.html).
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: StaticString = #fileID, line: UInt = #line,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Observable<Element> {
        let lines = DebugLines(identifier ?? "\(file):\(line)", trimsElements: trimOutput, output)
        let start = asObservable().start
        return Observable { downstream, lifetime in
            lines.write("subscribed")
            lifetime.add { lines.write("disposed") }
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    switch event {
                    case .next(let element): lines.write(element: "\(element)")
                    case .error(let error): lines.write(error, in: lifetime)
                    case .completed: lines.write("completed")
                    }
                    downstream.on(event)
                }, lifetime)
        }
    }
}

/// Writes the lines of one `debug`.
@usableFromInline
struct DebugLines: Sendable {
    private let name: String
    private let trimsElements: Bool
    private let output: @Sendable (String) -> Void

    @usableFromInline
    init(_ name: String, trimsElements: Bool, _ output: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.trimsElements = trimsElements
        self.output = output
    }

    @usableFromInline
    func write(element text: String) {
        let isTrimmed = trimsElements && text.count > 40
        write("next(\(isTrimmed ? "\(text.prefix(20))...\(text.suffix(20))" : text))")
    }

    @usableFromInline
    func write(_ error: any Error, in lifetime: Lifetime) {
        write("error(\(error))\(lifetime.tracedPlace.map { ", traced at \($0)" } ?? "")")
    }

    @usableFromInline
    func write(_ text: String) {
        output("\(Self.timeOfDay) \(name) \(text)")
    }

    /// The local time with milliseconds; Foundation's format takes eight times as long. The C library writes into local variables, which
    /// nothing else accesses (law 2).
    private static var timeOfDay: String {
        var (now, local) = unsafe (timespec(), tm())
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        unsafe localtime_r(&now.tv_sec, &local)
        func digits(_ number: Int, after one: Int) -> Substring { String(one + number).dropFirst() }
        let (hour, minute, second) = unsafe (Int(local.tm_hour), Int(local.tm_min), Int(local.tm_sec))
        return "\(digits(hour, after: 100)):\(digits(minute, after: 100)):\(digits(second, after: 100))."
            + digits(now.tv_nsec / 1_000_000, after: 1_000)
    }
}
