import Foundation
import NetNodes

/// The configuration of a watch: endpoints, alone and in groups.
///
/// Settings of the file apply to all endpoints, settings of a group to its endpoints, and settings of an endpoint to it alone.
struct WatchConfig: Sendable, Equatable {
    var targets: [WatchTarget] = []
    var alerts = AlertOptions()

    /// Reads the file, or a pipe to its end.
    ///
    /// - Throws: `UsageError` with the place of the fault.
    init(contentsOf file: URL, defaults: WatchOptions) throws(UsageError) {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            let data = try handle.read(upToCount: Self.largestFile + 1) ?? Data()
            guard data.count <= Self.largestFile else { throw UsageError("pulse watch: \(file.relativePath) is larger than 16 MB") }
            let text = String(decoding: data, as: UTF8.self)
            try self.init(parsing: text, file: file.relativePath, defaults: defaults)
        } catch let error as UsageError {
            throw error
        } catch let error as ConfigError {
            throw UsageError("pulse watch: \(error)")
        } catch {
            throw UsageError("pulse watch: \(file.relativePath) could not be read: \(ErrorWording.sentence(error))")
        }
    }

    /// - Throws: `ConfigError`.
    init(
        parsing text: String, file: String, defaults: WatchOptions,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let root = try ConfigValue(parsing: text, file: file)
        let members = try root.members(Self.usual + ["groups", "endpoints", "alerts"], of: "the file")
        let reader = EndpointReader(environment: environment, shownQuery: defaults.shownQuery)
        var base = EndpointReader.Settings(interval: defaults.interval, timeout: defaults.timeout)
        try base.read(members, environment)
        for value in try members["endpoints"]?.elements(of: "endpoints") ?? [] {
            try add(reader.target(value, base, group: nil), value)
        }
        for value in try members["groups"]?.elements(of: "groups") ?? [] {
            let group = try value.members(Self.usual + ["name", "endpoints"], of: "a group")
            guard let name = group["name"] else { throw value.error("a group needs a name") }
            var settings = base
            try settings.read(group, environment)
            for endpoint in try group["endpoints"]?.elements(of: "endpoints") ?? [] {
                try add(reader.target(endpoint, settings, group: try name.string("a name")), endpoint)
            }
        }
        guard !targets.isEmpty else { throw root.error("there are no endpoints") }
        if let value = members["alerts"] { alerts = try Self.alerts(value) }
        targets = targets.withUniqueIDs
    }

    private mutating func add(_ target: WatchTarget, _ value: ConfigValue) throws {
        guard target.name == nil || !targets.contains(where: { $0.name == target.name }) else {
            throw value.error("two endpoints are named \"\(target.id)\"")
        }
        targets.append(target)
    }

    private static func alerts(_ value: ConfigValue) throws -> AlertOptions {
        let members = try value.members(["bell", "command", "file"], of: "alerts")
        return AlertOptions(
            rings: try members["bell"]?.flag("bell") ?? false, command: try members["command"]?.string("command"),
            file: try members["file"].map { URL(filePath: try $0.string("file")) })
    }

    /// The members that the file, a group and an endpoint can have.
    static let usual = [
        "interval", "timeout", "retries", "method", "headers", "status", "text", "json", "latencyMilliseconds", "latency",
        "certificateDays", "showQuery",
    ]
    private static let largestFile = 16_000_000
}
