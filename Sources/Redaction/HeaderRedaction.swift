public import HTTPMessages

extension Redactor {
    /// Returns whether a header must neither be displayed nor sent to another origin, because of its name, or because its value contains a
    /// named secret.
    package static func isSecret(_ field: HTTPHeaders.Field) -> Bool {
        if SecretNames.contains(field.name) { return true }
        var scanner = SecretScanner(Array(field.value.utf8))
        scanner.run()
        return scanner.hasFound
    }

    /// Returns the fields, redacted.
    package func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                let value = SecretNames.contains(field.name) ? Self.mark : redacted(text: field.value)
                return HTTPHeaders.Field(name: field.name, value: value)
            })
    }
}

/// The description of a header is redacted, so that it can be logged.
extension HTTPHeaders.Field: RedactedDescription {
    public var description: String {
        "\(name): \(SecretNames.contains(name) ? Redactor.mark : Redactor().redacted(text: value))".controlsEscaped
    }
}

/// The description of headers is redacted, so that they can be logged.
extension HTTPHeaders: RedactedDescription {
    public var description: String { "[" + map(\.description).joined(separator: ", ") + "]" }
}
