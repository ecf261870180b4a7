import Foundation

/// The handling of redirects. It is implemented here and not in libcurl, so that every transport behaves the same.
///
/// Source: [RFC 9110, 15.4](https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx).
package enum Redirect {
    /// Returns the next request after a response; returns `nil` if the response is to be delivered. The jar of the request keeps the cookies
    /// of a redirect, and the next request has those of its own URL.
    ///
    /// - Parameter count: the number of redirects that were followed earlier.
    package static func next(after request: HTTPRequest, status: Int, headers: HTTPHeaders, count: Int) throws(TransportError)
        -> HTTPRequest?
    {
        guard case .follow(let limit) = request.redirects, [301, 302, 303, 307, 308].contains(status) else { return nil }
        // Without a location there is nothing to follow, as in curl.
        guard let location = headers["Location"], !location.allSatisfy(\.isWhitespace) else { return nil }
        guard count < limit else { throw .tooManyRedirects(limit: limit, url: request.redactedURL) }
        guard let target = URL(lenient: location, relativeTo: request.url),
            ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
        else {
            throw .invalidRedirect(location: redactedURL(location), url: request.redactedURL)
        }
        request.cookies?.jar.store(headers, from: request.url)
        return next(after: request, status: status, target: target).withCurrentCookies
    }

    private static func next(after request: HTTPRequest, status: Int, target: URL) -> HTTPRequest {
        var next = request
        next.url = target
        if dropsBody(status, request.method) {
            next.method = request.method == .head ? .head : .get
            next.body = .none
            for name in ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"] { next.headers.removeAll(name) }
        }
        guard Origin(target) != Origin(request.url) else {
            next.url = target.adoptingUser(of: request.url)
            return next
        }
        next.headers.removeAll("Host")
        next.headers = HTTPHeaders(next.headers.filter { !Redactor.isSecret($0) })
        return next
    }

    private static func dropsBody(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
        status == 303 || (method == .post && (status == 301 || status == 302))
    }
}
