import Foundation
import NetNodes

/// The events of a stream that has ended.
public struct Ended<Element: Sendable>: Sendable {
    public var elements: [Element] = []
    public var error: (any Error)?

    public init(elements: [Element] = [], error: (any Error)? = nil) {
        (self.elements, self.error) = (elements, error)
    }

    /// Of a stream that did not end in time.
    public static var late: Ended { Ended(error: EndedError.late) }

    public var isLate: Bool { error as? EndedError == .late }

    /// The elements; throws the error.
    @discardableResult
    public func get() throws -> [Element] {
        if let error { throw error }
        return elements
    }

    /// The only element; throws the error, or that there is none or another.
    public func one() throws -> Element {
        let elements = try get()
        guard elements.count == 1 else { throw EndedError.elements(elements.count) }
        return elements[0]
    }
}

/// A stream that did not end as expected.
public enum EndedError: Error, Equatable {
    /// It did not end in time.
    case late
    /// It had this number of elements, and not one.
    case elements(Int)
}

extension ObservableConvertibleType {
    /// Subscribes and waits for the end: how a test awaits a stream. One that does not end in time has the error that it is late.
    public func ended(within limit: TimeInterval = 300) -> Ended<Element> {
        let collected = Lock(Ended<Element>())
        let result = Slot<Ended<Element>>()
        let subscription = asObservable().subscribe { event in
            switch event {
            case .next(let element): collected.withLock { $0.elements.append(element) }
            case .error(let error):
                collected.withLock { $0.error = error }
                result.fill(collected.withLock { $0 })
            case .completed: result.fill(collected.withLock { $0 })
            }
        }
        defer { subscription.dispose() }
        return result.wait(limit) ?? .late
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
