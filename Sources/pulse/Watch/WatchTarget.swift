import Foundation
import NetNodes

/// An endpoint that is checked, and its requirements.
struct WatchTarget: Sendable, Equatable {
    /// The identifier on the screen and in recordings: the name, or the address without secrets. It is unique in a watch.
    var id: String
    var name: String?
    var group: String?
    var url: URL
    var method = HTTPRequest.Method.get
    var headers: HTTPHeaders = [:]
    var body: String?
    var requirement = Requirement()
    var interval = Duration.seconds(5)
    var timeout = Duration.seconds(10)
    /// The number of times that a failed check is repeated before it counts.
    var retries = 0
    /// The names in the query whose values are shown.
    let shownQuery: Set<String>

    init(_ url: URL, name: String? = nil, group: String? = nil, showing shownQuery: Set<String> = []) {
        (self.url, self.shownQuery) = (url, shownQuery)
        self.name = name?.excerpt(Self.longestName)
        self.group = group?.excerpt(Self.longestName)
        id = self.name ?? url.readableDescription(showing: shownQuery)
    }

    /// The address without secrets.
    var shownURL: String { url.redactedDescription(showing: shownQuery) }
    /// The same, as it is read on a screen.
    var readableURL: String { url.readableDescription(showing: shownQuery) }

    /// The number of characters of a name that are kept, because names also come from recordings and other processes.
    private static let longestName = 200
}

/// The conditions under which a response counts as up.
struct Requirement: Sendable, Equatable {
    /// A value in a JSON body; `nil` accepts any value there.
    struct Value: Sendable, Equatable {
        let path: String
        let equals: JSON?
    }

    /// The accepted statuses; empty accepts every one below 400.
    var statuses: [ClosedRange<Int>] = []
    /// The text that the body must contain.
    var text: String?
    var value: Value?
    /// The longest accepted latency.
    var latency: Duration?
    /// The number of days for which the certificate must still be valid.
    var certificateDays: Int?

    /// Whether the body is inspected; otherwise it is discarded as it arrives.
    var readsBody: Bool { text != nil || value != nil }

    func accepts(_ status: Int) -> Bool {
        statuses.isEmpty ? status < 400 : statuses.contains { $0.contains(status) }
    }

    /// Whether a redirect is itself an expected response.
    var acceptsRedirects: Bool { statuses.contains { $0.overlaps(300...399) } }
}

extension [WatchTarget] {
    /// The targets with unique ids: targets with the same id get numbers.
    var withUniqueIDs: [WatchTarget] {
        var counts: [String: Int] = [:]
        return map { target in
            var target = target
            counts[target.id, default: 0] += 1
            if let count = counts[target.id], count > 1 { target.id += " (\(count))" }
            return target
        }
    }
}

extension URL {
    /// The address without secrets, with percent-encoded characters decoded, as it is read on a screen.
    fileprivate func readableDescription(showing names: Set<String>) -> String {
        let text = redactedDescription(showing: names)
        return text.removingPercentEncoding ?? text
    }
}
