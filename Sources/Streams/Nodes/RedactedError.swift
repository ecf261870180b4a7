/// An error that can say what happened without quoting a secret: what stands of it in a log.
///
/// Of an error that does not conform, logs show the name of its type only: its description could quote a token or a password.
public protocol RedactedError: Error {
    /// What happened, without a secret and without a full stop. By default the error's description, which must then quote no secret.
    var redactedDescription: String { get }
}

extension RedactedError {
    public var redactedDescription: String {
        let text = "\(self)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

/// What a log may show of an error.
@Sendable
package func redactedDescription(of error: any Error) -> String {
    (error as? any RedactedError)?.redactedDescription ?? "\(type(of: error))"
}

extension OperationAborted: RedactedError {}
extension AccessError: RedactedError {}
