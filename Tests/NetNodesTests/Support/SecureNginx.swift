import Foundation

/// nginx with HTTP/2 over TLS, in a process of its own on the loopback address, with a certificate made just now.
final class SecureNginx: @unchecked Sendable {
    static let isAvailable = ForeignServer.Kind.nginx.isInstalled && SecureServer.isAvailable

    let base: String
    private let directory = TemporaryDirectory()
    private let nginx: Nginx

    /// A PEM file.
    var certificate: URL { directory.url.appending(path: "cert.pem") }

    init(http2: Bool = true) throws {
        try SecureServer.makeCertificate(in: directory.url)
        try FileManager.default.createDirectory(at: directory.url.appending(path: "files"), withIntermediateDirectories: true)
        _ = try directory.file("files/person.json", Data(Person.text.utf8))
        _ = try directory.file("files/large", ForeignServer.largeFile)
        nginx = try Nginx(
            in: directory.url, listening: http2 ? "ssl http2" : "ssl", http: "client_max_body_size 1m;",
            server: "ssl_certificate cert.pem; ssl_certificate_key key.pem;")
        base = "https://127.0.0.1:\(nginx.port)"
    }

    func stop() {
        nginx.stop()
    }
}
