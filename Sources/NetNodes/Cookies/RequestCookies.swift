internal import Bytes
import Foundation

/// The cookies that a request gets from a jar. They are added before it is sent, and anew for each connection and each redirect.
struct RequestCookies: Sendable, Equatable {
    let jar: CookieJar
    /// The value of the field `Cookie` without those of the jar.
    let own: String?
    /// The value with them. Another one in the request is one of its own.
    let field: String?

    init(of jar: CookieJar, own: String?, for url: URL) {
        (self.jar, self.own) = (jar, own)
        let names = (own ?? "").split(separator: ";").map { pair in
            Array(pair.utf8.prefix { $0 != UInt8(ascii: "=") }.trimmingBlanks)
        }
        let added = jar.cookies(for: url).filter { !names.contains(Array($0.name.utf8)) }.map { "\($0.name)=\($0.value)" }
        let pairs = [own].compactMap(\.self) + added
        field = pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
}

extension RequestCookies {
    /// Whether requests send the same cookies, from whichever jar.
    static func == (left: RequestCookies, right: RequestCookies) -> Bool { left.own == right.own && left.field == right.field }
}

extension HTTPRequest {
    /// Returns the request with the cookies of a jar. Its own remain, and a cookie of the jar with the name of one of them is not sent.
    func adding(cookiesOf jar: CookieJar) -> HTTPRequest {
        let values = headers.values("Cookie")
        let field = values.isEmpty ? nil : values.joined(separator: "; ")
        let own = if let cookies, cookies.field == field { cookies.own } else { field }
        let cookies = RequestCookies(of: jar, own: own, for: url)
        var request = self
        request.cookies = cookies
        if cookies.field != field { request.headers["Cookie"] = cookies.field }
        return request
    }

    /// The request with the cookies that its jar has now.
    var withCurrentCookies: HTTPRequest { cookies.map { adding(cookiesOf: $0.jar) } ?? self }
}
