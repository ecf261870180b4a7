public import Foundation

/// Provides the destination of a request. An enumeration of a service's endpoints usually implements it.
public protocol URLRouteProvider: Sendable {
    /// The absolute URL.
    ///
    /// - Throws: ``HTTPRequest/RouteFailure`` if there is none; nothing is sent then.
    func url() throws -> URL
}

extension HTTPRequest {
    /// The reason why there is no URL for a request.
    public enum RouteFailure: Error, Equatable, Sendable {
        /// The text is not a URL with scheme and host.
        case impossibleURL(String)
        /// A path was added to no URL at all.
        case missingBase(path: String)
    }
}

extension HTTPRequest.RouteFailure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .impossibleURL(let text): "\"\(text)\" is not a URL with a scheme and a host, such as https://example.com/path."
        case .missingBase(let path): "There is no URL to add the path \"\(path)\" to."
        }
    }

    public var errorDescription: String? { description }
}

/// A route that always has the same URL, which is therefore made once and not for each request.
struct FixedRoute: URLRouteProvider {
    private let result: Result<URL, any Error>

    /// Returns `nil` for a route of a custom type, whose URL may change.
    init?(of route: any URLRouteProvider) {
        guard route is URL || route is String else { return nil }
        result = Result { try route.url() }
    }

    func url() throws -> URL { try result.get() }
}

extension URL: URLRouteProvider {
    public func url() throws -> URL {
        guard scheme != nil, host()?.isEmpty == false else { throw HTTPRequest.RouteFailure.impossibleURL(redacted(self)) }
        return absoluteURL
    }
}

extension Optional<URL> {
    /// Returns the URL with a path appended, with exactly one slash between them; a query in the path remains one.
    ///
    /// - Throws: ``HTTPRequest/RouteFailure`` if there is no URL or the result is not one.
    public static func + (base: URL?, path: String) throws -> URL {
        guard let base else { throw HTTPRequest.RouteFailure.missingBase(path: redactedURL(path).escapedForDisplay) }
        guard !path.isEmpty else { return base }
        let text = base.absoluteString
        let (front, query) = text.splitBefore { $0 == "?" || $0 == "#" }
        let separated = (front.hasSuffix("/") ? String(front.dropLast()) : front) + (path.hasPrefix("/") ? path : "/" + path)
        guard let url = URL(lenient: separated + (path.contains("?") ? "" : query)) else {
            throw HTTPRequest.RouteFailure.impossibleURL(redactedURL(separated))
        }
        return url
    }
}

extension String: URLRouteProvider {
    public func url() throws -> URL {
        guard let url = URL(lenient: self) else { throw HTTPRequest.RouteFailure.impossibleURL(redactedURL(self)) }
        return try url.url()
    }
}

extension String {
    /// Returns the text before the first matching character, and the rest.
    func splitBefore(_ isSeparator: (Character) -> Bool) -> (String, String) {
        guard let index = firstIndex(where: isSeparator) else { return (self, "") }
        return (String(self[..<index]), String(self[index...]))
    }
}
