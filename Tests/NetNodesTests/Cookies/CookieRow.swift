import Foundation

@testable import NetNodes

/// The cookies that a server sets, and those that a later request sends.
struct CookieRow: CustomStringConvertible, Sendable {
    let description: String
    let setting: String
    let fields: [String]
    let request: String
    /// The pairs that are sent, in order; empty for none.
    let sent: String

    init(_ description: String, _ fields: [String], from setting: String, to request: String, sends sent: String) {
        (self.description, self.fields, self.setting, self.request, self.sent) = (description, fields, setting, request, sent)
    }
}

/// A clock that a test sets.
final class CookieClock: Sendable {
    private let seconds = Lock(1_900_000_000.0)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }
}

extension CookieJar {
    /// The suffixes that a test needs, whatever the system has.
    static let suffixes = PublicSuffixes(
        """
        // A comment, and a rule with a remark.
        com
        org anything
        uk
        co.uk
        github.io
        *.ck
        !www.ck
        公司.cn
        """)

    convenience init(_ clock: CookieClock, limits: Limits = Limits()) {
        self.init(suffixes: Self.suffixes, limits: limits, now: { clock.now })
    }

    /// Keeps the cookies of a response.
    func receive(_ fields: [String], from url: String) {
        guard let url = URL(string: url) else { return }
        store(HTTPResponse.Head(status: 200, headers: HTTPHeaders(fields.map { .init(name: "Set-Cookie", value: $0) }), url: url))
    }

    /// The field of a request.
    func sent(to url: String) -> String {
        URL(string: url).map { cookies(for: $0) }?.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") ?? "no URL"
    }
}
