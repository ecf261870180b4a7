/// The secrets that a connection was made with. A server may quote them; errors must not.
struct ConnectionSecrets: Sendable {
    /// Shorter secrets also occur in harmless words.
    private static let minimumLength = 4

    private let redactor: Redactor

    init(_ credentials: NATSCredentials?) {
        var values = SecretValues(shortest: Self.minimumLength)
        for secret in credentials?.secrets ?? [] { values.insert(Array(secret.utf8)) }
        redactor = Redactor(values)
    }

    func redact(_ text: String) -> String { redactor.redacted(text: text) }

    func redact(_ error: NATSProtocolError) -> NATSProtocolError {
        switch error {
        case .unknownOperation(let line): .unknownOperation(redact(line))
        case .malformedLine(let line): .malformedLine(redact(line))
        default: error
        }
    }
}
