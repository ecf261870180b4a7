import Foundation

/// Python's server behind TLS, with a certificate for 127.0.0.1 made just now; it can demand the same certificate of its clients.
final class SecurePythonServer: Sendable {
    static let isAvailable =
        PythonServer.isInstalled
        && ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/openssl") }

    let url: String
    let certificate: String
    let key: String
    private let child: Child
    private let folder = Result { try TestFolder() }

    init(demandsCertificate: Bool = false) async throws {
        let folder = try folder.get()
        (certificate, key) = ("\(folder.path)/cert.pem", "\(folder.path)/key.pem")
        let words = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout", key, "-out", certificate,
        ]
        _ = try await ShellRun.run(["/usr/bin/env", "openssl"], words)
        let script = """
            import http.server, ssl
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    self.send_response(200); self.send_header("Content-Length", "6"); self.end_headers(); self.wfile.write(b"secure")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("\(certificate)", "\(key)")
            if \(demandsCertificate ? "True" : "False"):
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations("\(certificate)")
            server.socket = context.wrap_socket(server.socket, server_side=True)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """
        let said: String
        (child, said) = try await Child.python(["-c", script])
        url = "https://127.0.0.1:\(said.trimmingCharacters(in: .whitespacesAndNewlines))"
    }

    func stop() async {
        child.send(SIGTERM)
        _ = await child.end()
    }
}
