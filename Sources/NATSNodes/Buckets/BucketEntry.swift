public import Foundation

/// A value of a bucket, with its key and its latest change.
public struct BucketEntry<Value: Sendable>: Sendable {
    /// A kind of change of a key.
    public enum Operation: Sendable, Equatable {
        /// A value was set.
        case put
        /// The value was removed.
        case delete
        /// The value was removed, and the values before it.
        case purge
    }

    /// The key of the entry.
    public let key: String
    /// The value; `nil` if it was removed.
    public let value: Value?
    /// The number of the change, which grows with each change of the bucket.
    public let revision: Int
    /// The kind of the change.
    public let operation: Operation
    /// The time of the change.
    public let time: Date

    /// Creates an entry, for stubs in tests.
    public init(key: String, value: Value?, revision: Int, operation: Operation = .put, time: Date = Date()) {
        self.key = key
        self.value = value
        self.revision = revision
        self.operation = operation
        self.time = time
    }
}

extension BucketEntry: Equatable where Value: Equatable {}

/// The reason why a bucket refused a change.
public enum BucketError: Error, Equatable, Sendable {
    /// A key is not valid: it contains characters other than letters, digits and `-/_=.`, or ends with a dot.
    case invalidKey(String)
    /// The key does not have the revision that was to be replaced: another client has changed it.
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
