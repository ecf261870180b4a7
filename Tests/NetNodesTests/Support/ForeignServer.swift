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
            let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
            return folders.map { URL(filePath: "\($0)/\(rawValue)") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
        }

        var isInstalled: Bool { program != nil }
    }

    struct DidNotStart: Error {
        let kind: Kind
    }

    /// More than the system keeps on the way.
    static let largeFile = (0..<25).reduce(into: Data()) { data, number in data += Data(repeating: UInt8(number), count: 1_000_003) }

    private let directory = TemporaryDirectory()
    private(set) var base = ""
    private var nginx: Nginx?
    private var python: ForeignProgram?

    init(_ kind: Kind) throws {
        guard let program = kind.program else { throw DidNotStart(kind: kind) }
        try FileManager.default.createDirectory(at: directory.url.appending(path: "files/folder"), withIntermediateDirectories: true)
        _ = try directory.file("files/person.json", Data(Person.text.utf8))
        _ = try directory.file("files/folder/index.html", Data("inside".utf8))
        _ = try directory.file("files/large", Self.largeFile)
        switch kind {
        case .nginx: try startNginx()
        case .python3: try startPython(program)
        }
    }

    deinit { stop() }

    func stop() {
        nginx?.stop()
        python?.stop()
    }

    private func startNginx() throws {
        let nginx = try Nginx(in: directory.url, listening: "backlog=4096", http: Self.types, server: Self.locations)
        base = "http://127.0.0.1:\(nginx.port)"
        self.nginx = nginx
    }

    private func startPython(_ program: URL) throws {
        let script = """
            import functools, http.server, sys
            handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
            http.server.ThreadingHTTPServer.request_queue_size = 512
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """
        let python = try ForeignProgram(program.path, ["-c", script, directory.url.appending(path: "files").path])
        base = try "http://127.0.0.1:\(python.port)"
        self.python = python
    }

    private static let types = """
        types { application/json json; text/html html; }
        gzip on; gzip_types application/json; gzip_min_length 1;
        """

    /// The first token is rejected, the second accepted; `busy` says when to send the request again.
    private static let locations = """
        location /busy { add_header Retry-After 7 always; return 503; }
        location /moved { return 307 /person.json; }
        location /token { default_type application/json; return 200 '"second"'; }
        location /guarded {
            default_type application/json;
            if ($http_authorization != "Bearer second") { return 401; }
            return 200 '\(Person.text)';
        }
        """
}
