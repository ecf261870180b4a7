/// Redacts text: values with a secret name (``SecretNames``), and any occurrence of values that are known to be secret.
///
/// All logs, error messages, recordings and commands use this redactor, for requests, sockets and messages.
package struct Redactor: Sendable {
    package static let mark = "***"
    private static let nothing = SecretMatcher([])

    private let matcher: SecretMatcher

    package init() {
        matcher = Self.nothing
    }

    package init(_ values: SecretValues) {
        matcher = SecretMatcher(values.known)
    }

    /// Returns any text, redacted.
    ///
    /// Complexity: O(n) in the length of the text.
    package func redacted(text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// Returns any bytes, redacted.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var scanner = SecretScanner(bytes)
        scanner.run()
        return matcher.replaced(in: scanner.output)
    }
}

/// A value whose description shows no secret, and which is shown by nothing but its description: not by a debugger's output, `dump` or a
/// string of what contains it.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension RedactedDescription {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["redacted": description]) }
}
