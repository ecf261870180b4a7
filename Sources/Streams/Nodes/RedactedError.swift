/// An error with a description for logs that contains no secrets.
///
/// For an error that does not conform, logs show only the name of its type: its description could contain a token or a password.
public protocol RedactedError: Error {
    /// The description, without secrets and without a final period. By default it is the error's description; if you keep the default, that
    /// must not contain secrets.
    var redactedDescription: String { get }
}

extension RedactedError {
    public var redactedDescription: String {
        let text = "\(self)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

/// The description of an error in logs.
@Sendable @usableFromInline
package func redactedDescription(of error: any Error) -> String {
    (error as? any RedactedError)?.redactedDescription ?? typeName(of: error)
}

/// The name of an error's type with those of the types that it is nested in, without its module: `Bulkhead.Failure`. Several nested types
/// have the same name, which alone would say little.
package func typeName(of error: any Error) -> String {
    let name = String(reflecting: type(of: error))
    // The name of a generic or a local type contains modules and addresses.
    guard !name.contains("<"), !name.contains("("), let end = name.firstIndex(of: ".") else { return "\(type(of: error))" }
    return String(name[name.index(after: end)...])
}

extension Aborter.OperationAborted: RedactedError {}
extension TokenRefresherNode.Failure: RedactedError {}
