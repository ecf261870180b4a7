import StreamsTesting

enum Heard {
    /// An error that is heard as `# Failure()`.
    struct Failure: Error, Equatable {}
}

/// What a stream sends while it is being subscribed, as text.
func heard<Element>(_ stream: Observable<Element>) -> [String] {
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

/// Counts on several threads.
final class Tally: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add(_ amount: Int = 1) {
        count.withLock { $0 += amount }
    }
}
