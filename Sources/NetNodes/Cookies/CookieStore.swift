import Foundation

/// The cookies of a jar, by their domains. Accessed with the lock of the ``CookieJar``.
struct CookieStore {
    /// The result of setting a cookie.
    enum Outcome {
        /// The jar has changed.
        case changed
        /// The jar has had this cookie already, or has nothing to remove.
        case unchanged
        case refused
    }

    /// What identifies a cookie of a domain, byte for byte.
    private struct Key: Hashable {
        let name: [UInt8]
        let path: [UInt8]

        init(_ cookie: CookieJar.Cookie) {
            (name, path) = (Array(cookie.name.utf8), Array(cookie.path.utf8))
        }
    }

    private struct Entry {
        var cookie: CookieJar.Cookie
        /// The place among all cookies that were set. Dates do not order them, because a clock jumps.
        let number: Int
        /// The step at which the cookie was last set or sent.
        var lastUse: Int
    }

    private let limits: CookieJar.Limits
    private var domains: [String: [Key: Entry]] = [:]
    private(set) var count = 0
    private var step = 0

    init(_ limits: CookieJar.Limits) {
        self.limits = limits
    }

    func all(at now: Date) -> [CookieJar.Cookie] {
        domains.values.joined().map(\.value).filter { !$0.cookie.isExpired(at: now) }.sorted { $0.number < $1.number }.map(\.cookie)
    }

    mutating func useCookies(for target: CookieTarget, at now: Date) -> [CookieJar.Cookie] {
        var found: [Entry] = []
        step += 1
        for domain in target.domains {
            guard let entries = domains[domain] else { continue }
            for (key, entry) in entries where entry.cookie.isSent(with: target) {
                guard !entry.cookie.isExpired(at: now) else {
                    remove(key, of: domain)
                    continue
                }
                domains[domain]?[key]?.lastUse = step
                found.append(entry)
            }
        }
        return found.sorted { left, right in
            let (length, other) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return length == other ? left.number < right.number : length > other
        }.map(\.cookie)
    }

    /// Sets a cookie, or removes the one that has expired with it.
    mutating func set(_ cookie: CookieJar.Cookie, from target: CookieTarget, at now: Date) -> Outcome {
        guard target.isSecure || !overlaysSecureCookie(cookie, at: now) else { return .refused }
        guard !cookie.isExpired(at: now) else { return remove(cookie) ? .changed : .unchanged }
        let key = Key(cookie)
        step += 1
        guard var entry = domains[cookie.domain]?[key] else {
            insert(cookie, key, at: now)
            return .changed
        }
        let created = entry.cookie.isExpired(at: now) ? now : entry.cookie.created
        let isSame = entry.cookie.isSame(as: cookie)
        (entry.cookie, entry.cookie.created, entry.lastUse) = (cookie, created, step)
        domains[cookie.domain]?[key] = entry
        return isSame ? .unchanged : .changed
    }

    /// Adds a cookie of a file, whose later lines replace earlier ones.
    mutating func restore(_ cookie: CookieJar.Cookie, at now: Date) {
        guard !cookie.isExpired(at: now) else { return }
        _ = remove(cookie)
        step += 1
        insert(cookie, Key(cookie), at: now)
    }

    mutating func remove(_ cookie: CookieJar.Cookie) -> Bool { remove(Key(cookie), of: cookie.domain) }

    @discardableResult
    private mutating func remove(_ key: Key, of domain: String) -> Bool {
        guard domains[domain]?.removeValue(forKey: key) != nil else { return false }
        count -= 1
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        return true
    }

    private mutating func insert(_ cookie: CookieJar.Cookie, _ key: Key, at now: Date) {
        domains[cookie.domain, default: [:]][key] = Entry(cookie: cookie, number: step, lastUse: step)
        count += 1
        if let entries = domains[cookie.domain], entries.count > limits.perDomain {
            makeRoom(at: now, among: [cookie.domain])
        }
        if count > limits.total { makeRoom(at: now, among: Array(domains.keys)) }
    }

    /// Removes what has expired, or else the cookie that was not used for the longest time.
    private mutating func makeRoom(at now: Date, among names: [String]) {
        var oldest: (key: Key, domain: String, lastUse: Int)?
        var hasRoom = false
        for name in names {
            for (key, entry) in domains[name] ?? [:] {
                if entry.cookie.isExpired(at: now) { hasRoom = remove(key, of: name) || hasRoom }
                if entry.lastUse < oldest?.lastUse ?? .max { oldest = (key, name, entry.lastUse) }
            }
        }
        if !hasRoom, let oldest { remove(oldest.key, of: oldest.domain) }
    }

    /// Whether a cookie without TLS would be sent before or in place of a secure one of its domain or of one above.
    ///
    /// Source: [RFC 6265bis, 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7).
    private func overlaysSecureCookie(_ cookie: CookieJar.Cookie, at now: Date) -> Bool {
        let labels = cookie.domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.contains { index in
            let entries = domains[labels[index...].joined(separator: ".")] ?? [:]
            return entries.values.contains { entry in
                let other = entry.cookie
                return other.isSecure && !other.isExpired(at: now) && other.name.utf8.elementsEqual(cookie.name.utf8)
                    && cookie.path.isUnder(other.path)
            }
        }
    }
}

extension CookieJar.Cookie {
    /// Whether the cookie belongs to a request to one of its hosts.
    fileprivate func isSent(with target: CookieTarget) -> Bool {
        (!isHostOnly || domain == target.host) && (!isSecure || target.isSecure) && target.isUnder(path)
    }
}
