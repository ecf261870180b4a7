import Foundation
import NetNodes

/// The events of a stream that has ended.
public struct Ended<Element: Sendable>: Sendable {
    public var elements: [Element] = []
    public var error: (any Error)?
    public var isLate = false

    public init(elements: [Element] = [], error: (any Error)? = nil, isLate: Bool = false) {
        (self.elements, self.error, self.isLate) = (elements, error, isLate)
    }
}

extension ObservableType {
    /// Subscribes and waits for the end; a stream that does not end in time is late.
    public func ended(within limit: TimeInterval = 300) -> Ended<Element> {
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

extension Error {
    /// The error's type and case, such as `HTTPError.notFound`.
    public var kind: String {
        switch self as any Error {
        case TokenRefresherNode.Failure.refreshYieldedNothing: "TokenRefresherNode.Failure.refreshYieldedNothing"
        case TokenRefresherNode.Failure.refreshWaitsForItself: "TokenRefresherNode.Failure.refreshWaitsForItself"
        case MultipartForm.Failure.noParts: "MultipartForm.Failure.noParts"
        default: [typeName(of: self), Mirror(reflecting: self).enumCase].compactMap { $0 }.joined(separator: ".")
        }
    }
}

extension Mirror {
    /// The name of a case with a payload.
    fileprivate var enumCase: String? { displayStyle == .enum ? children.first?.label : nil }
}
