public import Foundation

/// Why a keyboard cannot be read: the descriptor is not open, or the process has no descriptors or threads left.
public struct KeyboardError: Error, Equatable, Sendable {
    /// The call of the system that failed.
    public let operation: String
    /// Its `errno`.
    public let code: Int32

    init(_ operation: String, code: Int32 = errno) {
        (self.operation, self.code) = (operation, code)
    }
}

extension KeyboardError: LocalizedError, CustomStringConvertible {
    public var description: String { "The keyboard cannot be read (\(operation)): \(String(cString: strerror(code)))." }

    public var errorDescription: String? { description }
}
