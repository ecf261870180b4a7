import Foundation
import NetNodes

/// Reads an endpoint of a configuration: its URL, or an object.
struct EndpointReader {
    let environment: [String: String]
    /// The names in queries whose values are shown of each endpoint.
    let shownQuery: Set<String>

    /// The settings that an endpoint takes from its file and its group, unless it has its own.
    struct Settings {
        var interval: Duration
        var timeout: Duration
        var retries = 0
        var method = HTTPRequest.Method.get
        var headers: HTTPHeaders = [:]
        var requirement = Requirement()
        /// Further names in queries whose values are shown.
        var shownQuery: Set<String> = []

        init(interval: Duration, timeout: Duration) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// - Throws: `ConfigError`.
    func target(_ value: ConfigValue, _ base: Settings, group: String?) throws -> WatchTarget {
        guard case .object = value.json else { return make(try url(value), nil, group, base) }
        let members = try value.members(WatchConfig.usual + ["name", "url", "body"], of: "an endpoint")
        guard let address = members["url"] else { throw value.error("an endpoint needs a url") }
        var settings = base
        try settings.read(members, environment)
        var target = make(try url(address), try members["name"].map(name), group, settings)
        target.body = try members["body"]?.string("body")
        if target.body != nil, members["method"] == nil, target.method == .get { target.method = .post }
        return target
    }

    private func name(_ value: ConfigValue) throws -> String {
        let name = try value.string("a name").trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { throw value.error("a name is not empty") }
        return name
    }

    private func url(_ value: ConfigValue) throws -> URL {
        let text = try value.string("an endpoint").expanding(environment, value)
        do {
            return try endpoint(text, command: "watch")
        } catch let error as UsageError {
            throw value.error(error.description.replacing("pulse watch: ", with: ""))
        }
    }

    private func make(_ url: URL, _ name: String?, _ group: String?, _ settings: Settings) -> WatchTarget {
        var target = WatchTarget(url, name: name, group: group, showing: shownQuery.union(settings.shownQuery))
        target.interval = settings.interval
        target.timeout = settings.timeout
        target.retries = settings.retries
        target.method = settings.method
        target.headers = settings.headers
        target.requirement = settings.requirement
        return target
    }
}

extension EndpointReader.Settings {
    /// Takes over the settings in the members.
    mutating func read(_ members: [String: ConfigValue], _ environment: [String: String]) throws {
        if let value = members["interval"] { interval = try value.duration("interval") }
        if let value = members["timeout"] { timeout = try value.duration("timeout") }
        if let value = members["retries"] { retries = try value.integer("retries", in: 0...10) }
        if let value = members["method"] { method = try Self.method(value) }
        var names: Set<String> = []
        for (name, value) in try members["headers"]?.pairs(of: "headers") ?? [] {
            guard names.insert(name.lowercased()).inserted else {
                throw value.error("the header \"\(name)\" stands twice, in another case", atName: true)
            }
            headers[name] = try value.string("a header").expanding(environment, value)
        }
        if let value = members["status"] { requirement.statuses = try Self.statuses(value) }
        if let value = members["text"] {
            requirement.text = try value.string("text")
            guard requirement.text != "" else { throw value.error("text is not empty") }
        }
        if let value = members["json"] { requirement.value = try Self.json(value) }
        // In seconds: the name from before every latency was in milliseconds.
        if let value = members["latency"] {
            guard members["latencyMilliseconds"] == nil else {
                throw value.error("latency and latencyMilliseconds are the same limit", atName: true)
            }
            requirement.latency = try value.duration("latency")
        }
        if let value = members["latencyMilliseconds"] { requirement.latency = try value.milliseconds("latencyMilliseconds") }
        if let value = members["showQuery"] { shownQuery = Set(try value.elements(of: "showQuery").map { try $0.string("a name") }) }
        if let value = members["certificateDays"] { requirement.certificateDays = try value.integer("certificateDays", in: 0...10_000) }
    }

    private static func method(_ value: ConfigValue) throws -> HTTPRequest.Method {
        let text = try value.string("method")
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "-" }) else {
            throw value.error("method is a word such as POST")
        }
        return HTTPRequest.Method(rawValue: text)
    }

    /// Returns the ranges of `200`, `"200-299"`, `[200, 204]`.
    private static func statuses(_ value: ConfigValue) throws -> [ClosedRange<Int>] {
        switch value.json {
        case .array(let elements):
            guard !elements.isEmpty else { throw value.error("status is not empty") }
            return try value.elements(of: "status").flatMap(statuses)
        case .string(let text):
            // A range has both ends: "200-" and "-299" are none, and neither are signs.
            let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
                end.allSatisfy { $0.isASCII && $0.isNumber } ? Int(end) : nil
            }
            guard let low = ends.first ?? nil, let high = ends.last ?? nil, ends.count < 3, 100 <= low, low <= high, high <= 599 else {
                throw value.error("status is a number, a range such as \"200-299\", or an array of these")
            }
            return [low...high]
        default:
            let status = try value.integer("status", in: 100...599)
            return [status...status]
        }
    }

    private static func json(_ value: ConfigValue) throws -> Requirement.Value {
        let members = try value.members(["path", "equals"], of: "json")
        guard let path = members["path"] else { throw value.error("json needs a path, such as status or items.0.name") }
        return Requirement.Value(path: try path.string("a path"), equals: members["equals"]?.json)
    }
}

extension String {
    /// Returns the text with `${NAME}` replaced by the variable of the environment, so that a file needs no secrets.
    fileprivate func expanding(_ environment: [String: String], _ value: ConfigValue) throws -> String {
        var result = ""
        var rest = self[...]
        while let start = rest.range(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let name = String(rest[start.upperBound..<end])
            guard let known = environment[name] else { throw value.error("the variable \(name) of the environment is not set") }
            result += rest[..<start.lowerBound] + known
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
