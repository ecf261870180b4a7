import Dispatch
import Foundation

/// The real `nats-server`, in a process of its own on the loopback address, with a port and a directory of its own.
public final class NATSServer: @unchecked Sendable {
    /// The options with which a server is started.
    public struct Options: Sendable {
        /// Whether the server stores streams.
        public var hasJetStream = false
        /// The maximum that the server stores in files, in the format of its configuration.
        public var maximumFileStorage = "4G"
        /// Further lines of its configuration.
        public var configuration = ""
        /// The port; `nil` means a port of its own, which stays the same when the server is started again.
        public var port: Int?

        public init(hasJetStream: Bool = false, configuration: String = "", port: Int? = nil) {
            self.hasJetStream = hasJetStream
            self.configuration = configuration
            self.port = port
        }
    }

    public struct DidNotStart: Error, CustomStringConvertible {
        public let description: String
    }

    /// The path of `nats-server`; `nil` if it is not installed.
    public static let program: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/bin"]
        return folders.map { URL(filePath: "\($0)/nats-server") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()
    public static var isInstalled: Bool { program != nil }

    public let directory: URL
    private let options: Options
    // Sound: changed by `start` and `stop` only, which the owner does not call at the same time.
    public private(set) var port = 0
    private var process = Process()
    private var output: ServerOutput?

    /// Starts a server, and returns when it accepts connections.
    public init(_ options: Options = Options()) throws {
        self.options = options
        directory = FileManager.default.temporaryDirectory.appending(path: "nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        port = try options.port ?? ReservedPorts.next()
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: directory)
    }

    public var url: String { "nats://127.0.0.1:\(port)" }

    /// The port on which it serves WebSockets.
    public var webSocketPort: Int {
        get throws {
            guard let port = output?.webSocketPort else { throw DidNotStart(description: "it serves no WebSockets: \(log)") }
            return port
        }
    }

    /// The text that the server has written to its log.
    public var log: String { output?.text ?? "" }

    /// Starts the server again after `kill`, on the same port and with the same files.
    public func start() throws {
        guard let program = Self.program else { throw DidNotStart(description: "nats-server is not installed") }
        let file = directory.appending(path: "server.conf")
        try Data(configurationText.utf8).write(to: file)
        process = Process()
        process.executableURL = program
        process.arguments = ["-c", file.path]
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = ServerOutput(pipe.fileHandleForReading)
        self.output = output
        guard output.wait(for: "Server is ready"), let port = output.clientPort else {
            kill()
            throw DidNotStart(description: output.text)
        }
        self.port = port
    }

    /// Whether all its replicas are as new as those of the others, by the server's own statement; `false` if it does not serve that
    /// (`http:`).
    public var isHealthy: Bool {
        guard let port = output?.monitoringPort, let connection = LoopbackConnection.connect(to: port) else { return false }
        defer { connection.close() }
        connection.write("GET /healthz HTTP/1.0\r\n\r\n")
        return connection.read(until: "\"status\":\"ok\"") != nil
    }

    /// Kills the server without any chance to end its connections properly.
    public func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends a signal to the server: SIGUSR2 starts lame duck mode, SIGHUP reads the configuration again.
    public func signal(_ number: Int32) {
        Foundation.kill(process.processIdentifier, number)
    }

    /// Waits until its log contains a text.
    public func waits(for text: String) -> Bool {
        output?.wait(for: text) ?? false
    }

    private var configurationText: String {
        let limits = "max_mem: 256M, max_file: \(options.maximumFileStorage)"
        let jetStream = options.hasJetStream ? "jetstream { store_dir: \"\(directory.path)/store\", \(limits) }" : ""
        return """
            host: 127.0.0.1
            port: \(port)
            \(jetStream)
            \(options.configuration)
            """
    }
}

/// The output of a server, read until it ends.
private final class ServerOutput: @unchecked Sendable {
    private let condition = NSCondition()
    // Sound: accessed under the condition's lock.
    private var bytes = Data()
    private var hasEnded = false

    init(_ file: FileHandle) {
        Thread.detachNewThread { [self] in
            while true {
                let data = file.availableData
                condition.lock()
                bytes += data
                hasEnded = data.isEmpty
                condition.broadcast()
                condition.unlock()
                if data.isEmpty { return }
            }
        }
    }

    var text: String {
        condition.lock()
        defer { condition.unlock() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until the output contains a text; returns `false` if it ends earlier, or after ten minutes.
    func wait(for text: String) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 600)
        condition.lock()
        defer { condition.unlock() }
        while bytes.range(of: Data(text.utf8)) == nil {
            guard !hasEnded, condition.wait(until: deadline) else { return false }
        }
        return true
    }

    /// The ports that the server has chosen.
    var clientPort: Int? { port(behind: "Listening for client connections on 127.0.0.1:") }
    var monitoringPort: Int? { port(behind: "Starting http monitor on 127.0.0.1:") }
    var webSocketPort: Int? { port(behind: "Listening for websocket clients on wss://127.0.0.1:") }

    private func port(behind mark: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.contains(mark) }) else { return nil }
        return line.range(of: mark).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
}
