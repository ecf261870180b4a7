/// The secrets that a connection was made with. A server may quote them; errors do not.
struct ConnectionSecrets: Sendable {
    /// Shorter ones occur in harmless words.
    private static let minimumLength = 4

    private let values: [String]

    init(_ credentials: NATSCredentials?) {
        values = credentials?.secrets.filter { $0.count >= Self.minimumLength } ?? []
    }

    func redact(_ text: String) -> String {
        values.reduce(text) { $0.replacing($1, with: "***") }
    }

    func redact(_ error: NATSProtocolError) -> NATSProtocolError {
        switch error {
        case .unknownOperation(let line): .unknownOperation(redact(line))
        case .malformedLine(let line): .malformedLine(redact(line))
        default: error
        }
    }
}
