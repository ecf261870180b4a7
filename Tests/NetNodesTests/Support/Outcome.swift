import Foundation

@testable import NetNodes

/// What a stream sent, once it has ended.
struct Ended<Element: Sendable>: Sendable {
    var elements: [Element] = []
    var error: (any Error)?
    var isLate = false
}

extension ObservableType {
    /// Subscribes and waits for the end; a stream that does not end in time is late.
    func ended(within limit: TimeInterval = 300) -> Ended<Element> {
        let collected = Lock(Ended<Element>())
        let result = Slot<Ended<Element>>()
        let subscription = subscribe { event in
            switch event {
            case .next(let element): collected.withLock { $0.elements.append(element) }
            case .error(let error):
                collected.withLock { $0.error = error }
                result.fill(collected.withLock { $0 })
            case .completed: result.fill(collected.withLock { $0 })
            }
        }
        defer { subscription.dispose() }
        return result.wait(limit) ?? Ended(isLate: true)
    }
}
