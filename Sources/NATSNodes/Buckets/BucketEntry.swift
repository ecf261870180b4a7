public import Foundation

/// A value of a bucket, and what is known of it.
public struct BucketEntry<Value: Sendable>: Sendable {
    /// What was done to the key.
    public enum Operation: Sendable, Equatable {
        /// A value was set.
        case put
        /// The value was removed.
        case delete
        /// The value was removed, and those before it.
        case purge
    }

    /// Its key.
    public let key: String
    /// The value; `nil` if it was removed.
    public let value: Value?
    /// The number of the change, which grows with each change of the bucket.
    public let revision: Int
    /// What was done.
    public let operation: Operation
    /// When it was done.
    public let time: Date

    /// Creates an entry: for stubs in tests.
    public init(key: String, value: Value?, revision: Int, operation: Operation = .put, time: Date = Date()) {
        self.key = key
        self.value = value
        self.revision = revision
        self.operation = operation
        self.time = time
    }
}

extension BucketEntry: Equatable where Value: Equatable {}

/// What a bucket refuses.
public enum BucketError: Error, Equatable, Sendable {
    /// A key is not valid: it has other characters than letters, digits and `-/_=.`, or a dot at its end.
    case invalidKey(String)
    /// The key has another revision than the one to be replaced: another client has changed it.
    case conflict(key: String)
}

extension BucketError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidKey(let key): "\"\(key)\" is no key of a bucket."
        case .conflict(let key): "The key \(key) has another revision: somebody else has set it."
        }
    }

    public var errorDescription: String? { description }
}
