import Foundation

/// A client's certificate, made just now, and its key as it is and encrypted.
public final class ClientIdentity: Sendable {
    /// Of the encrypted key.
    public static let password = "hunter2-of-the-key"

    private let directory = TemporaryDirectory()
    public var certificate: URL { directory.url.appending(path: "cert.pem") }
    public var key: URL { directory.url.appending(path: "key.pem") }
    public var encryptedKey: URL { directory.url.appending(path: "encrypted.pem") }

    public init() throws {
        try SecureServer.makeCertificate(in: directory.url)
        let password = "pass:\(Self.password)"
        try SecureServer.run("/usr/bin/env openssl pkcs8 -topk8 -in \(key.path) -out \(encryptedKey.path) -passout \(password)")
    }

    /// The settings of a server's TLS context in Python with which it serves this client only.
    public var demand: String {
        "context.verify_mode = ssl.CERT_REQUIRED; context.load_verify_locations(\"\(certificate.path)\")"
    }
}

extension SecureServer {
    /// Says one thing to each client over TLS, and ends with a close notification.
    ///
    /// - Parameters:
    ///   - answer: bytes, in Python, where `name()` is what the certificate of the client calls it.
    ///   - setting: what is set of the TLS `context` before, in Python.
    ///   - readsRequest: whether the client speaks first.
    public static func saying(_ answer: String, with setting: String, readsRequest: Bool = false) throws -> SecureServer {
        try SecureServer { directory in
            serving(
                directory,
                """
                \(setting)
                def serve(client):
                    try:
                        secure = context.wrap_socket(client, server_side=True)
                        def name(): return dict(x[0] for x in secure.getpeercert()["subject"])["commonName"].encode()
                        \(readsRequest ? "secure.recv(65536)" : "pass")
                        secure.sendall(\(answer))
                        secure.unwrap()
                    except Exception: pass
                    client.close()
                """)
        }
    }
}
