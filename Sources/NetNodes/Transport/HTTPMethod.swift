/// The method of a request.
///
/// Source: [RFC 9110, 9](https://www.rfc-editor.org/rfc/rfc9110#name-methods).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as sent.
    public let rawValue: String

    /// Creates a method from its case-sensitive name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Requests a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Requests the head of the response to GET.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Submits data for processing.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Modifies a part of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Requests the available methods.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    public var description: String { rawValue }

    /// Whether sending the request twice has the same effect as sending it once.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, HTTPMethod(rawValue: "TRACE"): true
        default: false
        }
    }
}
