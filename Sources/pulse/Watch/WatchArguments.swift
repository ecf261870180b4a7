import Foundation
import NetNodes

extension Subcommand {
    static let watch = Subcommand(
        name: "watch",
        operand: "URL...",
        summary: "monitor services: state, latency, uptime",
        usages: [
            "watch [NAME=]URL... [flags]", "watch --config FILE [URL...] [flags]", "watch --replay FILE [--speed N]",
            "watch URL... --publish nats://HOST:PORT/SUBJECT",
        ],
        description: """
            Checks each URL periodically, through the whole node chain, and shows its state, latency and errors.
            A status below 400 counts as up, unless the configuration expects something else.
            Without a terminal, one line is printed for each check. On a terminal, ? shows the keys.
            """,
        sections: [FlagSection(title: "Flags", flags: WatchFlags.ofWatch)],
        completion: .urls,
        exitCodes: """
            0, or with --once 1 if an endpoint is down; 2 for a usage error or a faulty configuration;
            23 if a file can no longer be written.
            """
    ) { .watch(try $0.watchOptions()) }

    static let view = Subcommand(
        name: "view",
        operand: "ADDRESS",
        summary: "show what another pulse watches",
        usages: ["view nats://HOST:PORT/SUBJECT [flags]"],
        description: """
            Shows the checks that another pulse publishes: pulse watch URL... --publish nats://HOST:PORT/SUBJECT
            Between them is a NATS server that stores the last checks: nats-server -js
            Any number of screens, on other machines too, and one that starts late shows the last minutes at once.
            """,
        sections: [FlagSection(title: "Flags", flags: WatchFlags.ofView)],
        exitCodes: "0; 2 for a usage error. A server that cannot be reached is a line on the screen, and is tried again."
    ) { .watch(try $0.viewOptions()) }
}

extension ArgumentReader {
    fileprivate func watchOptions() throws -> WatchOptions {
        var options = WatchOptions()
        if let interval = try duration("--interval", command: "watch") { options.interval = interval }
        if let timeout = try duration("--timeout", command: "watch") { options.timeout = timeout }
        options.isOnce = has("--once")
        options.shownQuery = Set(allValues("--show-query"))
        options.isJSON = has("--json")
        options.config = try file("--config")
        options.record = try file("--record")
        options.replay = try file("--replay")
        if let address = value("--publish") { options.publish = try SharedAddress(address, usage: "pulse watch: --publish") }
        options.export = try exportFile()
        options.alerts = AlertOptions(rings: has("--bell"), command: value("--on-change"), file: try file("--alerts"))
        options.isLight = try isLight()
        options.reportsMouse = !has("--no-mouse")
        options.targets = try targets(options)
        guard !options.isOnce || options.alerts == AlertOptions() else {
            throw UsageError("pulse watch: --once runs no alerts, its exit code tells: without --bell, --on-change and --alerts")
        }
        try checkReplay(&options)
        guard !options.targets.isEmpty || options.config != nil || options.replay != nil else {
            throw UsageError("pulse watch: missing URL; see pulse help watch")
        }
        return options
    }

    fileprivate func viewOptions() throws -> WatchOptions {
        guard let address = try onlyOperand() else { throw UsageError("pulse view: missing address; see pulse help view") }
        var options = WatchOptions()
        options.view = try SharedAddress(address, usage: "pulse view")
        options.isJSON = has("--json")
        options.isLight = try isLight()
        options.reportsMouse = !has("--no-mouse")
        return options
    }

    private func targets(_ options: WatchOptions) throws -> [WatchTarget] {
        var targets: [WatchTarget] = []
        for operand in operands {
            var target = try Self.target(operand, showing: options.shownQuery)
            target.interval = options.interval
            target.timeout = options.timeout
            if targets.contains(target) { continue }
            guard target.name == nil || !targets.contains(where: { $0.name == target.name }) else {
                throw UsageError("pulse watch: two endpoints are named \(target.id.quotedForMessage)")
            }
            targets.append(target)
        }
        return targets.withUniqueIDs
    }

    /// Parses `URL` or `NAME=URL`: a name contains no character that a URL has before its first `=`.
    private static func target(_ operand: String, showing shown: Set<String>) throws -> WatchTarget {
        guard let sign = operand.firstIndex(of: "="), !operand[..<sign].contains(where: { ":/?#[]".contains($0) }) else {
            return WatchTarget(try endpoint(operand, command: "watch"), showing: shown)
        }
        let name = operand[..<sign].trimmingCharacters(in: .whitespaces)
        let address = String(operand[operand.index(after: sign)...])
        guard !name.isEmpty else { throw UsageError("pulse watch: an endpoint without a name before its =; NAME=URL is expected") }
        return WatchTarget(try endpoint(address, command: "watch"), name: name, showing: shown)
    }

    private func file(_ name: String) throws -> URL? {
        guard let path = value(name) else { return nil }
        guard !path.isEmpty, !path.hasSuffix("/") else { throw UsageError("pulse watch: \(name) needs the name of a file") }
        return URL(filePath: path)
    }

    private func exportFile() throws -> URL? {
        guard let file = try file("--export") else { return nil }
        guard ["json", "csv"].contains(file.pathExtension.lowercased()) else {
            throw UsageError("pulse watch: --export needs a file that ends in .json or .csv")
        }
        return file
    }

    func isLight() throws -> Bool? {
        switch value("--theme") {
        case nil, "auto"?: return nil
        case "light"?: return true
        case "dark"?: return false
        case let other?: throw UsageError("pulse \(command): --theme is light, dark or auto, not \(other.quotedForMessage)")
        }
    }

    private func checkReplay(_ options: inout WatchOptions) throws {
        guard options.replay != nil else {
            guard value("--speed") == nil else { throw UsageError("pulse watch: --speed is that of a --replay") }
            return
        }
        guard options.targets.isEmpty, options.config == nil, options.record == nil, options.publish == nil else {
            throw UsageError("pulse watch: --replay shows a recording: without URLs, --config, --record and --publish")
        }
        guard let text = value("--speed") else { return }
        guard let speed = Double(text), speed > 0, speed <= 1_000_000, text.allSatisfy({ $0.isNumber || $0 == "." }) else {
            throw UsageError("pulse watch: --speed is a number above 0, such as 60, not \(text.quotedForMessage)")
        }
        options.speed = speed
    }
}

/// The flags of `watch` and `view`, and those of every screen.
enum WatchFlags {
    static let ofWatch =
        [
            Flag("--interval", short: "-i", value: "SECONDS", help: "time between two checks of an endpoint (5)"),
            Flag("--timeout", short: "-t", value: "SECONDS", help: "the timeout of a request (10)"),
            Flag("--once", help: "check each endpoint once, print one line each; exit code 1 if one is down"),
            json,
            Flag(
                "--config", short: "-c", value: "FILE", help: "endpoints, groups and expectations as JSON; SIGHUP reads it again",
                completion: .files),
            Flag("--record", value: "FILE", help: "append every event to a file of JSON lines", completion: .files),
            Flag("--replay", value: "FILE", help: "show a recording instead of endpoints", completion: .files),
            Flag("--speed", value: "NUMBER", help: "how many times as fast a recording is shown (1)"),
            Flag("--publish", value: "ADDRESS", help: "publish every check to nats://HOST:PORT/SUBJECT, for pulse view"),
            Flag("--export", value: "FILE", help: "write the statistics into FILE.json or FILE.csv at the end", completion: .files),
            Flag("--show-query", value: "NAME", help: "show the values of NAME in queries, unless it is secret; may be repeated"),
            Flag("--bell", help: "ring the terminal's bell when an endpoint goes down"),
            Flag(
                "--on-change", value: "COMMAND",
                help: "run a shell command when one goes down or comes up, with PULSE_NAME, PULSE_STATE ..."),
            Flag("--alerts", value: "FILE", help: "append each such change to a file of JSON lines", completion: .files),
        ] + ofScreens

    static let ofView = [json] + ofScreens

    static let ofScreens = [
        Flag("--theme", value: "NAME", help: "light, dark, or auto: what the terminal tells (auto)"),
        Flag("--no-mouse", help: "leave the mouse to the terminal"),
    ]

    private static let json = Flag("--json", help: "one JSON object per line instead of text")
}

/// The options of `pulse watch`.
struct WatchOptions: Equatable {
    /// The endpoints of the command line.
    var targets: [WatchTarget] = []
    /// A file with further endpoints, which SIGHUP reads again.
    var config: URL?
    var interval = Duration.seconds(5)
    var timeout = Duration.seconds(10)
    var isOnce = false
    /// The names in queries whose values are shown.
    var shownQuery: Set<String> = []
    var isJSON = false
    var record: URL?
    var replay: URL?
    /// The speed of the replay, as a multiple of the recorded speed.
    var speed = 1.0
    /// The address to which the checks are published for other screens.
    var publish: SharedAddress?
    /// The address whose checks are shown in place of checks of endpoints.
    var view: SharedAddress?
    var export: URL?
    var alerts = AlertOptions()
    /// The theme, `light` or `dark`; `nil` asks the environment.
    var isLight: Bool?
    var reportsMouse = true
}

/// The reactions when an endpoint goes down or comes up again.
struct AlertOptions: Equatable, Sendable {
    var rings = false
    /// A command for the shell.
    var command: String?
    /// A file that gets a JSON line for each change.
    var file: URL?
}
