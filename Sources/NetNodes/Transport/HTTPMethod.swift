/// The method of a request.
///
/// Source: [RFC 9110, 9](https://www.rfc-editor.org/rfc/rfc9110#name-methods).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it goes over the wire.
    public let rawValue: String

    /// A method by its name on the wire, which is case-sensitive.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Asks for something.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Asks for the head of what GET would give.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Hands something over to be processed.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces something.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of something.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes something.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what can be done.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    public var description: String { rawValue }

    /// Whether sending the request twice does the same as sending it once.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, HTTPMethod(rawValue: "TRACE"): true
        default: false
        }
    }
}
