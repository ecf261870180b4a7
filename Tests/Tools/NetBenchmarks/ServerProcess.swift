import Foundation
import LoopbackServer

/// The server, in a process of its own so that its CPU is not counted: nginx where it is installed, this program's own server elsewhere.
final class ServerProcess {
    private struct NoServer: Error, LocalizedError {
        var errorDescription: String? { "the server did not start" }
    }

    /// The size of the long body, in bytes.
    static let largeSize: Int64 = 1_000_000_000

    let name: String
    let url: URL
    /// The URL of the long body.
    var large: URL { url.deletingLastPathComponent().appending(path: "large") }
    private let process = Process()
    private let input = Pipe()
    /// Open as long as the process may write to it.
    private let log = Pipe()
    private var directory: URL?

    init() throws {
        process.standardInput = input
        guard let nginx = Self.nginx else {
            name = "LoopbackServer"
            let output = Pipe()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["--serve"]
            process.standardOutput = output
            try process.run()
            guard let port = Int(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)) else {
                throw NoServer()
            }
            url = try Self.url(port)
            return
        }
        name = "nginx"
        let port = try LoopbackServer.unusedPort()
        url = try Self.url(port)
        let directory = FileManager.default.temporaryDirectory.appending(path: "NetBenchmarks-\(UUID().uuidString)")
        self.directory = directory
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let large = directory.appending(path: "large")
        try Data().write(to: large)
        // Without content, so that reading it costs as little as possible.
        guard truncate(large.path, off_t(Self.largeSize)) == 0 else { throw NoServer() }
        try Data(count: FileClient.size).write(to: directory.appending(path: "megabyte"))
        let configuration = directory.appending(path: "nginx.conf")
        try Self.configuration(port: port).write(to: configuration, atomically: true, encoding: .utf8)
        process.executableURL = nginx
        process.arguments = ["-p", directory.path, "-e", "stderr", "-c", configuration.path]
        process.standardError = log
        try process.run()
        guard listens() else { throw NoServer() }
    }

    func stop() {
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        directory.map { try? FileManager.default.removeItem(at: $0) }
    }

    private static var nginx: URL? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"].map { URL(filePath: $0) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func url(_ port: Int) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/quote") else { throw NoServer() }
        return url
    }

    private static func configuration(port: Int) -> String {
        """
        error_log stderr notice;
        daemon off;
        master_process off;
        pid nginx.pid;
        events { worker_connections 1024; }
        http {
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            keepalive_requests 1000000000;
            keepalive_timeout 600s;
            server {
                listen 127.0.0.1:\(port);
                # What it sends to one connection before it looks at the others.
                sendfile on; sendfile_max_chunk 128k;
                location /large { root .; }
                location /megabyte { root .; }
                location /quote { default_type application/json; return 200 '\(Quote.text)'; }
            }
        }
        """
    }

    /// Waits until nginx has told how it waits for events, which it does when it listens. Its output ends if it cannot.
    private func listens() -> Bool {
        var told = ""
        while case let bytes = log.fileHandleForReading.availableData, !bytes.isEmpty {
            told += String(decoding: bytes, as: UTF8.self)
            if told.contains("event method") { return true }
        }
        return false
    }
}

/// The server for machines without nginx.
enum LocalServer {
    /// Says on which port it listens, and serves until standard input ends.
    static func serve() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedRequests = 1
        let server = LoopbackServer(
            limits: limits, .get("/quote") { _ in .json(text: Quote.text) },
            .get("/megabyte") { _ in .generated(bytes: FileClient.size) },
            .get("/large") { _ in .generated(bytes: Int(ServerProcess.largeSize)) })
        try server.start()
        print(server.port)
        fflush(nil)
        while readLine() != nil {}
        server.stop()
    }
}
