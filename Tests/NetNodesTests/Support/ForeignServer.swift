import Foundation
import LoopbackServer

/// A server that we did not write, in a process of its own on the loopback address, which serves the files of a directory of its own.
final class ForeignServer: @unchecked Sendable {
    /// Which server.
    enum Kind: String {
        case nginx
        case python3

        var program: URL? {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return (path.split(separator: ":") + ["/usr/sbin", "/usr/local/sbin"]).map { URL(filePath: "\($0)/\(rawValue)") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        var isInstalled: Bool { program != nil }
    }

    struct DidNotStart: Error {
        let kind: Kind
    }

    /// More than the system keeps on the way.
    static let largeFile = (0..<25).reduce(into: Data()) { data, number in data += Data(repeating: UInt8(number), count: 1_000_003) }

    let directory: URL
    private(set) var base = ""
    private let process = Process()

    init(_ kind: Kind) throws {
        guard let program = kind.program else { throw DidNotStart(kind: kind) }
        directory = FileManager.default.temporaryDirectory.appending(path: "\(kind)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory.appending(path: "files/folder"), withIntermediateDirectories: true)
        try write("files/person.json", Data(Person.text.utf8))
        try write("files/folder/index.html", Data("inside".utf8))
        try write("files/large", Self.largeFile)
        process.executableURL = program
        process.standardError = FileHandle.nullDevice
        switch kind {
        case .nginx: try startNginx()
        case .python3: try startPython()
        }
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    private func write(_ name: String, _ data: Data) throws {
        try data.write(to: directory.appending(path: name))
    }

    private func startNginx() throws {
        let port = try LoopbackServer.unusedPort()
        base = "http://127.0.0.1:\(port)"
        try write("nginx.conf", Data(Self.configuration(port: port).utf8))
        process.arguments = ["-p", directory.path, "-e", "stderr", "-c", "nginx.conf"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<1_000 where process.isRunning {
            if (try? Data(contentsOf: URL(string: "\(base)/person.json") ?? directory)) != nil { return }
            usleep(5_000)
        }
        throw DidNotStart(kind: .nginx)
    }

    private func startPython() throws {
        let script = """
            import functools, http.server, sys
            handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """
        let output = Pipe()
        process.arguments = ["-c", script, directory.appending(path: "files").path]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.filter(\.isNumber)) else { throw DidNotStart(kind: .python3) }
        base = "http://127.0.0.1:\(port)"
    }

    /// The first token is refused, the second good; `busy` has something to say about when to come again.
    private static func configuration(port: Int) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        events { worker_connections 2048; }
        http {
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            types { application/json json; text/html html; }
            gzip on; gzip_types application/json; gzip_min_length 1;
            keepalive_requests 100000;
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                root files;
                location /busy { add_header Retry-After 7 always; return 503; }
                location /moved { return 307 /person.json; }
                location /token { default_type application/json; return 200 '"second"'; }
                location /guarded {
                    default_type application/json;
                    if ($http_authorization != "Bearer second") { return 401; }
                    return 200 '\(Person.text)';
                }
            }
        }
        """
    }
}
