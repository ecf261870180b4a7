import Dispatch
import Foundation

/// The real `nats-server`, in a process of its own on the loopback address, with a port and a directory of its own.
public final class NATSServer: @unchecked Sendable {
    /// What a server is started with.
    public struct Options: Sendable {
        /// Whether it stores streams.
        public var hasJetStream = false
        /// The most that it stores in files, as in its configuration.
        public var maximumFileStorage = "4G"
        /// Further lines of its configuration.
        public var configuration = ""
        /// The port; `nil` for one that is its own, also while it is started again.
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

    /// `nil` where it is not installed.
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

    /// What it has written to its log.
    public var log: String { output?.text ?? "" }

    /// Starts it again after `kill`, on the same port and with the same files.
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

    /// Whether all that it replicates is as new as that of the others, as it says itself; `false` where it is not asked to (`http:`).
    public var isHealthy: Bool {
        guard let port = output?.monitoringPort, let connection = LoopbackConnection.connect(to: port) else { return false }
        defer { connection.close() }
        connection.write("GET /healthz HTTP/1.0\r\n\r\n")
        return connection.read(until: "\"status\":\"ok\"") != nil
    }

    /// Ends it without any chance to say goodbye.
    public func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends it a signal: SIGUSR2 is lame duck mode, SIGHUP reads the configuration again.
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

/// What a server writes, read until it ends.
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

    /// Waits until the output contains a text; `false` if it ends before, or after ten minutes.
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
