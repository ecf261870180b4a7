import Foundation
import LoopbackServer

/// nginx with HTTP/2 over TLS, in a process of its own on the loopback address, with a certificate made just now.
final class SecureNginx: @unchecked Sendable {
    static let isAvailable = ForeignServer.Kind.nginx.isInstalled && SecureServer.isAvailable

    let base: String
    private let directory = TemporaryDirectory()
    private let process = Process()

    /// A PEM file.
    var certificate: URL { directory.url.appending(path: "cert.pem") }

    init() throws {
        let port = try LoopbackServer.unusedPort()
        base = "https://127.0.0.1:\(port)"
        try SecureServer.makeCertificate(in: directory.url)
        try FileManager.default.createDirectory(at: directory.url.appending(path: "files"), withIntermediateDirectories: true)
        _ = try directory.file("files/person.json", Data(Person.text.utf8))
        _ = try directory.file("files/large", ForeignServer.largeFile)
        _ = try directory.file("nginx.conf", Data(Self.configuration(port: port).utf8))
        process.executableURL = ForeignServer.Kind.nginx.program
        process.arguments = ["-p", directory.url.path, "-e", "stderr", "-c", "nginx.conf"]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<1_000 where process.isRunning {
            if FileManager.default.fileExists(atPath: directory.url.appending(path: "nginx.pid").path) { return }
            usleep(5_000)
        }
        throw ForeignServer.DidNotStart(kind: .nginx)
    }

    func stop() {
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func configuration(port: Int) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        events { worker_connections 2048; }
        http {
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            client_max_body_size 1m;
            keepalive_requests 100000;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate cert.pem;
                ssl_certificate_key key.pem;
                root files;
            }
        }
        """
    }
}
