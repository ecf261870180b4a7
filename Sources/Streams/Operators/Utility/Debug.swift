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
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: StaticString = #fileID, line: UInt = #line,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Observable<Element> {
        let name = identifier ?? "\(file):\(line)"
        let write: @Sendable (String) -> Void = { text in
            output("\(Self.timeOfDay) \(name) \(text)")
        }
        let start = asObservable().start
        return Observable { downstream, lifetime in
            write("subscribed")
            lifetime.add { write("disposed") }
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    switch event {
                    case .next(let element): write("next(\(Self.text(of: element, trimmed: trimOutput)))")
                    case .error(let error): write("error(\(error))\(lifetime.tracedPlace.map { ", traced at \($0)" } ?? "")")
                    case .completed: write("completed")
                    }
                    downstream.on(event)
                }, lifetime)
        }
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

    private static func text(of element: Element, trimmed: Bool) -> String {
        let text = "\(element)"
        guard trimmed, text.count > 40 else { return text }
        return "\(text.prefix(20))...\(text.suffix(20))"
    }
}
