import Foundation
import TestSupport

/// nginx in a process of its own, on a port of the loopback address.
final class Nginx: @unchecked Sendable {
    let port: Int
    private let process = Process()

    /// Starts it in a directory with the files that `server` names, and returns when it listens.
    ///
    /// - Parameters:
    ///   - listening: what follows the address and the port in the `listen` directive.
    ///   - http: directives of the `http` block.
    ///   - server: directives of the `server` block.
    init(in directory: URL, listening: String, http: String = "", server: String) throws {
        port = try ReservedPorts.next()
        let configuration = """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr notice;
            events { worker_connections 2048; }
            http {
                access_log off;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                keepalive_requests 100000;
                \(http)
                server {
                    listen 127.0.0.1:\(port) \(listening);
                    root files;
                    \(server)
                }
            }
            """
        try Data(configuration.utf8).write(to: directory.appending(path: "nginx.conf"))
        let log = Pipe()
        process.executableURL = ForeignServer.Kind.nginx.program
        process.arguments = ["-p", directory.path, "-e", "stderr", "-c", "nginx.conf"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = log
        try process.run()
        try? log.fileHandleForWriting.close()
        guard Self.listens(log.fileHandleForReading) else {
            stop()
            throw ForeignServer.DidNotStart(kind: .nginx)
        }
    }

    func stop() {
        guard process.isRunning else { return }
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the message that follows the opening of the sockets, and then discards the log, so that a full pipe does not block nginx.
    private static func listens(_ log: FileHandle) -> Bool {
        var text = ""
        while !text.contains("getrlimit") {
            let bytes = log.availableData
            guard !bytes.isEmpty else { return false }
            text += String(decoding: bytes, as: UTF8.self)
        }
        Thread.detachNewThread { while !log.availableData.isEmpty {} }
        return true
    }
}
