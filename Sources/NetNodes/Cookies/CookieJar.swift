internal import Bytes
public import Foundation
public import Streams

/// Keeps the cookies that servers set, and adds them to later requests to these servers. A chain uses a jar only if it is told to:
/// ``URLChain/cookies(_:)``.
///
/// ```swift
/// let jar = CookieJar()
/// let api = URLChain().cookies(jar)           // within redirects too
/// ```
///
/// A jar keeps at most ``Limits-swift.struct/perDomain`` cookies for each domain and ``Limits-swift.struct/total`` in all; beyond that, those
/// that were not used for the longest time are removed. Nothing of a cookie but its name and scope is part of a log or an error.
///
/// It is stricter than the RFC where browsers are: a response without TLS neither sets a `Secure` cookie nor replaces one, and names that
/// begin with `__Secure-` or `__Host-` are refused without what they promise.
///
/// Thread-safe. Source: [RFC 6265, 5](https://www.rfc-editor.org/rfc/rfc6265#section-5).
public final class CookieJar: Sendable {
    /// The numbers of cookies that a jar keeps.
    public struct Limits: Sendable, Equatable {
        /// The most cookies with one domain.
        public var perDomain: Int
        /// The most cookies in all.
        public var total: Int

        /// Creates limits, by default 180 cookies for each domain and 3000 in all.
        public init(perDomain: Int = 180, total: Int = 3000) {
            self.perDomain = max(1, perDomain)
            self.total = max(1, total)
        }
    }

    /// The most bytes of a name with its value; a longer cookie is refused.
    static let longestPair = 4096
    /// The most bytes of a domain or a path that a response names; a longer one is ignored.
    static let longestAttribute = 1024

    private let suffixes: PublicSuffixes
    private let now: @Sendable () -> Date
    private let store: Lock<CookieStore>
    private let writing = Lock(())
    private let changed = PublishSubject<Void>()

    /// Creates an empty jar.
    ///
    /// - Parameters:
    ///   - suffixes: the domains under which anybody can register names, and which no cookie may have.
    ///   - limits: the numbers of cookies that are kept.
    ///   - now: returns the date, by default that of the system, or of the simulation.
    public init(
        suffixes: PublicSuffixes = .system, limits: Limits = Limits(), now: (@Sendable () -> Date)? = nil
    ) {
        self.suffixes = suffixes
        self.now = now ?? { SimulatedSystem.current.map { Date(timeIntervalSince1970: $0.date()) } ?? Date() }
        store = Lock(CookieStore(limits))
    }

    /// Emits after each change: a cookie was set, replaced or removed. A use of a cookie, or the end of its time, is no change. Write the
    /// jar into a file when it has been quiet for a while:
    ///
    /// ```swift
    /// jar.changes.debounce(.seconds(1), scheduler: scheduler).subscribe(onNext: { try? jar.write(to: file) }).disposed(by: bag)
    /// ```
    public var changes: Observable<Void> { changed.asObservable() }

    /// All cookies that have not expired, in the order in which they were first set.
    public var cookies: [Cookie] {
        let now = now()
        return store.withLock { $0.all(at: now) }
    }

    /// Returns the cookies for a request, in the order in which they are sent: longer paths first, then the older ones.
    public func cookies(for url: URL) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let now = now()
        return store.withLock { $0.useCookies(for: target, at: now) }
    }

    /// Keeps the cookies that a response sets.
    public func store(_ response: HTTPResponse.Head) {
        store(response.headers, from: response.url)
    }

    /// Keeps the cookies in the `Set-Cookie` fields of a response of this URL.
    func store(_ headers: HTTPHeaders, from url: URL) {
        let fields = headers.values("Set-Cookie")
        guard !fields.isEmpty, let target = CookieTarget(url) else { return }
        let cookies = fields.compactMap { HTTPResponse.Cookie($0) }.compactMap { accepted($0, from: target) }
        change(cookies.map { (target, $0) })
    }

    /// Sets a cookie as if the server of a URL had done it.
    ///
    /// - Returns: whether the cookie was accepted.
    @discardableResult
    public func set(_ cookie: HTTPResponse.Cookie, from url: URL) -> Bool {
        guard let target = CookieTarget(url), let cookie = accepted(cookie, from: target) else { return false }
        return change([(target, cookie)])
    }

    /// Removes the cookies that a closure chooses, by default all.
    public func remove(where isRemoved: (Cookie) -> Bool = { _ in true }) {
        // The closure is the caller's, so it runs on a copy.
        let removed = cookies.filter(isRemoved)
        let hasChanged = store.withLock { store in
            removed.reduce(false) { hasChanged, cookie in store.remove(cookie) || hasChanged }
        }
        if hasChanged { changed.onNext(()) }
    }

    /// Removes the cookies without a time at which they expire, as a browser does when it is closed.
    public func endSession() {
        remove { $0.expires == nil }
    }

    /// - Returns: whether all were accepted.
    @discardableResult
    private func change(_ cookies: [(CookieTarget, Cookie)]) -> Bool {
        let now = now()
        let results = store.withLock { store in cookies.map { store.set($1, from: $0, at: now) } }
        if results.contains(.changed) { changed.onNext(()) }
        return !results.contains(.refused)
    }
}

/// The checks of a cookie that a response sets.
extension CookieJar {
    /// Returns the cookie as it is stored; `nil` if the server must not set it.
    ///
    /// Source: [RFC 6265, 5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3).
    private func accepted(_ cookie: HTTPResponse.Cookie, from target: CookieTarget) -> Cookie? {
        guard cookie.name.utf8.count + cookie.value.utf8.count <= Self.longestPair, cookie.isSendable,
            !cookie.isSecure || target.isSecure, let scope = scope(of: cookie, from: target)
        else { return nil }
        let path = cookie.path.flatMap { $0.utf8.count <= Self.longestAttribute ? $0 : nil }
        let now = now()
        let stored = Cookie(
            name: cookie.name, value: cookie.value, domain: scope.domain, isHostOnly: scope.isHostOnly, path: path ?? target.defaultPath,
            expires: cookie.maximumAge.map { now.addingTimeInterval($0 / .seconds(1)) } ?? cookie.expires, isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly, sameSite: cookie.sameSite, created: now)
        return stored.keepsPromise(namesPath: path == "/") ? stored : nil
    }

    /// Returns the hosts that get the cookie.
    private func scope(of cookie: HTTPResponse.Cookie, from target: CookieTarget) -> (domain: String, isHostOnly: Bool)? {
        guard let written = cookie.domain, written.utf8.count <= Self.longestAttribute else { return (target.host, true) }
        let domain = written.utf8.allSatisfy { $0 < 0x80 } ? written : URL(string: "http://\(written)/")?.plainHost?.lowercased() ?? written
        if domain == target.host, target.isAddress || suffixes.contains(domain) { return (domain, true) }
        return target.belongs(to: domain) && !suffixes.contains(domain) ? (domain, false) : nil
    }
}

extension HTTPResponse.Cookie {
    /// Whether the cookie has no control character, which a field or a file could not have.
    fileprivate var isSendable: Bool {
        [name, value, path ?? ""].allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    }
}

extension CookieJar.Cookie {
    /// Whether the cookie is what its name promises.
    ///
    /// Source: [RFC 6265bis, 4.1.3](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3).
    fileprivate func keepsPromise(namesPath: Bool) -> Bool {
        let name = name.lowercased()
        if name.utf8.starts(with: "__host-".utf8) { return isSecure && isHostOnly && namesPath }
        return isSecure || !name.utf8.starts(with: "__secure-".utf8)
    }
}

extension CookieJar: RedactedDescription {
    /// The number of cookies.
    public var description: String { "\(store.withLock { $0.count }) cookies" }
}

extension CookieJar: Equatable {
    /// Whether both are the same jar.
    public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }
}

/// The file of a jar.
extension CookieJar {
    /// Creates a jar with the cookies of a file that ``write(to:)`` has written; without that file it is empty.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - suffixes: the domains under which anybody can register names, and which no cookie may have.
    ///   - limits: the numbers of cookies that are kept.
    ///   - now: returns the date, by default that of the system, or of the simulation.
    /// - Throws: ``CookieJar/FileFailure``, which names the first line that is no cookie.
    public convenience init(
        contentsOf file: URL, suffixes: PublicSuffixes = .system, limits: Limits = Limits(),
        now: (@Sendable () -> Date)? = nil
    ) throws(FileFailure) {
        let cookies = try CookieFile.cookies(in: file)
        self.init(suffixes: suffixes, limits: limits, now: now)
        let date = self.now()
        store.withLock { store in for cookie in cookies { store.restore(cookie, at: date) } }
    }

    /// Writes all cookies into a file, also those that end with the session: whole, and readable by its owner only. A crash leaves the old
    /// file or the new one.
    ///
    /// - Throws: ``CookieJar/FileFailure/unwritable(path:reason:)``.
    public func write(to file: URL) throws(FileFailure) {
        let date = now()
        // Of two writers, the second writes what is newer.
        let result = writing.withLock { _ in
            Result { () throws(FileFailure) in try CookieFile.write(store.withLock { $0.all(at: date) }, to: file) }
        }
        try result.get()
    }
}
