import StreamsTesting

enum Received {
    /// An error that is printed as `# Failure()`.
    struct Failure: Error, Equatable {}
}

/// The events that a stream emits during the subscription, as text.
func received<Element>(_ stream: Observable<Element>) -> [String] {
    let events = Lock<[String]>([])
    let subscription = stream.subscribe { event in
        let text =
            switch event {
            case .next(let element): "\(element)"
            case .error(let error): "# \(error)"
            case .completed: "|"
            }
        events.withLock { $0.append(text) }
    }
    subscription.dispose()
    return events.withLock { $0 }
}

/// Counts on several threads; `add` gives the new count.
final class Tally: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        count.withLock { count in
            count += amount
            return count
        }
    }
}
