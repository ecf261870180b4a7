public import Foundation

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

extension PEM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path, or the number of bytes, because they may be those of a key.
    public var description: String {
        switch self {
        case .file(let path): path
        case .data(let data): "\(data.count) bytes"
        }
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["PEM": description]) }
}

/// The options for verifying the server, and for identifying the client.
public struct TLSOptions: Sendable, Hashable {
    /// A certificate of this client and its key.
    public struct ClientCertificate: Sendable, Hashable {
        /// The certificate, followed by the certificates that lead to its authority.
        public var certificate: PEM
        /// The private key; `nil` if it is in the same PEM as the certificate.
        public var key: PEM?
        /// The password with which the key is encrypted.
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

extension TLSOptions.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The paths, without the password.
    public var description: String { "certificate \(certificate)" + (key.map { ", key \($0)" } ?? "") }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["certificate": description]) }
}
