import Foundation

extension CookieJar {
    /// The domains under which anybody can register names, such as `com`, `co.uk` and `github.io`: no cookie may have one of them, because
    /// it would be sent to the servers of others.
    ///
    /// Source: [the algorithm of the Public Suffix List](https://github.com/publicsuffix/list/wiki/Format).
    public struct PublicSuffixes: Sendable {
        private var rules: Set<String> = []
        /// The domains each of whose subdomains is a suffix.
        private var wildcards: Set<String> = []
        private var exceptions: Set<String> = []

        /// The list of the system, which is read when a cookie first names a domain: `/usr/share/publicsuffix/public_suffix_list.dat`,
        /// which is in the package `publicsuffix` of most distributions. Without it the same as ``topLevel``.
        public static let system = listOfSystem ?? topLevel

        /// Only names without a dot, such as `com`. A server below `co.uk` can then set cookies for all others there.
        public static let topLevel = PublicSuffixes("")

        private static let listOfSystem: PublicSuffixes? = {
            let text = try? String(contentsOf: URL(filePath: "/usr/share/publicsuffix/public_suffix_list.dat"), encoding: .utf8)
            return text.map { PublicSuffixes($0) }
        }()

        /// Whether the system has a list.
        public static var hasSystemList: Bool { listOfSystem != nil }

        /// Creates suffixes from the text of a Public Suffix List: one rule on each line, such as `co.uk`, `*.ck` or `!www.ck`. Text that
        /// follows `//` or a blank is a comment.
        public init(_ list: String) {
            for line in list.split(whereSeparator: \.isNewline) {
                let rule = line.prefix { !$0.isWhitespace }
                guard !rule.isEmpty, !rule.hasPrefix("//") else { continue }
                if rule.hasPrefix("!") {
                    exceptions.insert(Self.name(rule.dropFirst()))
                } else if rule.hasPrefix("*.") {
                    wildcards.insert(Self.name(rule.dropFirst(2)))
                } else {
                    rules.insert(Self.name(rule))
                }
            }
        }

        /// Returns whether a domain, in lower case and as the DNS knows it, is a public suffix.
        public func contains(_ domain: String) -> Bool {
            guard let dot = domain.firstIndex(of: ".") else { return true }
            if exceptions.contains(domain) { return false }
            return rules.contains(domain) || wildcards.contains(String(domain[domain.index(after: dot)...]))
        }

        /// Returns a name as the DNS knows it.
        private static func name(_ rule: Substring) -> String {
            guard !rule.utf8.allSatisfy({ $0 < 0x80 }) else { return rule.lowercased() }
            return URL(string: "http://\(rule)/")?.host(percentEncoded: false)?.lowercased() ?? String(rule)
        }
    }
}
