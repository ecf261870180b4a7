import Foundation

/// Python's file server behind TLS, with a certificate for 127.0.0.1 made just now.
final class SecureServer: @unchecked Sendable {
    static let isAvailable = ["/usr/bin/env openssl version", "/usr/bin/env python3 --version"].allSatisfy { (try? run($0)) != nil }

    let port: Int
    let certificate: URL
    private let directory: URL
    private let process = Process()

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        certificate = directory.appending(path: "cert.pem")
        try Self.makeCertificate(in: directory)
        let key = directory.appending(path: "key.pem").path
        let script = """
            import functools, http.server, ssl
            handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="\(directory.path)")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("\(certificate.path)", "\(key)")
            server.socket = context.wrap_socket(server.socket, server_side=True)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CocoaError(.fileReadUnknown) }
        self.port = port
    }

    func stop() {
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Puts `cert.pem` and `key.pem` into a directory: a certificate for 127.0.0.1 that vouches for itself.
    static func makeCertificate(in directory: URL) throws {
        try run(
            "/usr/bin/env openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 "
                + "-keyout \(directory.path)/key.pem -out \(directory.path)/cert.pem")
    }

    private static func run(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
