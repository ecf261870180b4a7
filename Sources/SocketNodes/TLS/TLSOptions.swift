internal import CLibcurl
public import Foundation

extension TLSOptions {
    /// Certificates or a key in PEM format.
    public enum PEM: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The file at a path, read when a connection is made.
        case file(String)
        /// The text of such a file.
        case data(Data)

        /// Creates the file at a path.
        public init(stringLiteral path: String) {
            self = .file(path)
        }
    }
}

extension TLSOptions.PEM: RedactedDescription {
    /// The path, or the number of bytes, because they may be those of a key.
    public var description: String {
        switch self {
        case .file(let path): path
        case .data(let data): "\(data.count) bytes"
        }
    }
}

/// The options for verifying the server, and for identifying the client.
public struct TLSOptions: Sendable, Hashable {
    /// A certificate of this client and its key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The certificate, followed by the certificates that lead to its authority.
        public var certificate: PEM
        /// The private key; `nil` if it is in the same PEM as the certificate.
        public var key: PEM?
        /// The password with which the key is encrypted. Without it an encrypted key is an error: nobody is asked.
        public var password: String?

        /// Creates a client certificate.
        public init(certificate: PEM, key: PEM? = nil, password: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }

        /// Creates a client certificate from the paths of its files.
        public init(certificate: String, key: String, password: String? = nil) {
            self.init(certificate: .file(certificate), key: .file(key), password: password)
        }
    }

    /// A version of TLS.
    public enum Version: Int, Sendable, Hashable {
        /// TLS 1.2.
        case tls12 = 6
        /// TLS 1.3.
        case tls13 = 7
    }

    /// The trusted certificate authorities; `nil` means those in the file that `SSL_CERT_FILE` or `CURL_CA_BUNDLE` names, or the system's
    /// if neither is set. The content of a file is cached for 24 hours. If a file cannot be read, each connection fails with
    /// `TransportError.unreadableAuthorities(path:reason:)`.
    public var certificateAuthorities: PEM?
    /// Whether the server's certificate and its host name are verified. Without verification, anybody on the way can read and change the
    /// transferred data.
    public var verifiesServer = true
    /// The certificate that the client presents to a server that asks for one. If it cannot be used, each connection fails with
    /// `TransportError.secureConnectionFailed(url:reason:)`.
    public var clientCertificate: ClientCertificate?
    /// The name that is sent to the server and verified in its certificate; `nil` means the host of the endpoint. Requests use the host of
    /// their URL.
    public var serverName: String?
    /// The lowest version of TLS that is accepted; `nil` means that of the system, usually 1.2.
    public var minimumVersion: Version?
    /// The only public keys that a server may have, in addition to all other verification: the SHA-256 digests of their
    /// `SubjectPublicKeyInfo` in base64. Empty means any key.
    public var pinnedPublicKeys: [String] = []

    /// Creates options. Options that you leave out verify the server against the system's authorities.
    public init(
        certificateAuthorities: PEM? = nil, verifiesServer: Bool = true, clientCertificate: ClientCertificate? = nil,
        serverName: String? = nil, minimumVersion: Version? = nil, pinnedPublicKeys: [String] = []
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.verifiesServer = verifiesServer
        self.clientCertificate = clientCertificate
        self.serverName = serverName
        self.minimumVersion = minimumVersion
        self.pinnedPublicKeys = pinnedPublicKeys
    }

    /// Creates options with the file of the trusted authorities at a path.
    public init(
        certificateAuthorities path: String, verifiesServer: Bool = true, clientCertificate: ClientCertificate? = nil,
        serverName: String? = nil
    ) {
        self.init(
            certificateAuthorities: .file(path), verifiesServer: verifiesServer, clientCertificate: clientCertificate,
            serverName: serverName)
    }
}

extension TLSOptions.ClientCertificate: RedactedDescription {
    /// The paths, without the password.
    public var description: String { "certificate \(certificate)" + (key.map { ", key \($0)" } ?? "") }
}

/// The bundle of trusted certificate authorities, a PEM file.
package enum CertificateAuthorities {
    /// The default locations of various systems.
    private static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/cacert.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
    ]

    /// Returns the configured authorities, or those in the file of `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, or the system's; returns `nil` if
    /// libcurl has to find the authorities itself.
    package static func found(configured: TLSOptions.PEM?) -> TLSOptions.PEM? {
        configured
            ?? (variable("SSL_CERT_FILE") ?? variable("CURL_CA_BUNDLE") ?? usualPlaces.first { access($0, R_OK) == 0 }).map { .file($0) }
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

extension CurlHandle {
    /// - Parameters:
    ///   - authorities: the authorities of the options, or those that were found in their place.
    ///   - url: the URL for errors.
    package func setSecurity(_ options: TLSOptions, authorities: TLSOptions.PEM?, for url: String) throws(TransportError) {
        if let client = options.clientCertificate {
            try set(client.certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, for: url)
            if let key = client.key ?? client.certificate.asKey { try set(key, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, for: url) }
            // Without one OpenSSL would ask for it on the terminal, and block the thread of all connections until somebody answers.
            set(CURLOPT_KEYPASSWD, client.password ?? "")
        }
        if let version = options.minimumVersion { set(CURLOPT_SSLVERSION, version.rawValue) }
        try pin(options.pinnedPublicKeys, for: url)
        guard options.verifiesServer else {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            return set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        guard let authorities else { return }
        if case .file(let path) = authorities, access(path, R_OK) != 0 {
            throw .unreadableAuthorities(path: path, reason: String(cString: strerror(errno)))
        }
        try set(authorities, CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB, for: url)
        // libcurl caches the parsed bundle for later connections, unless a directory of authorities is set too. Otherwise each handshake
        // would block the thread while it parses some hundred certificates.
        clibcurl_set_pointer(handle, CURLOPT_CAPATH, nil)
        set(CURLOPT_CA_CACHE_TIMEOUT, 24 * 60 * 60)
    }

    private func set(_ pem: TLSOptions.PEM, _ file: CURLoption, _ blob: CURLoption, for url: String) throws(TransportError) {
        switch pem {
        case .file(let path): set(file, path)
        case .data(let data):
            let code = data.withUnsafeBytes { clibcurl_set_blob(handle, blob, $0.baseAddress, $0.count) }
            guard code == CURLE_OK else {
                throw .secureConnectionFailed(url: url, reason: "this libcurl takes certificates from files only")
            }
        }
    }

    private func pin(_ keys: [String], for url: String) throws(TransportError) {
        guard !keys.isEmpty else { return }
        guard keys.allSatisfy({ Data(base64Encoded: $0)?.count == 32 }) else {
            throw .secureConnectionFailed(url: url, reason: "a pinned public key is not the SHA-256 digest of one in base64")
        }
        set(CURLOPT_PINNEDPUBLICKEY, keys.map { "sha256//\($0)" }.joined(separator: ";"))
    }
}

extension TLSOptions.PEM {
    /// The key that accompanies a certificate in memory; libcurl looks for one in files only.
    fileprivate var asKey: TLSOptions.PEM? {
        if case .data = self { self } else { nil }
    }
}
