import Foundation

/// The bundle of certificate authorities that a transport trusts, a PEM file.
enum CertificateAuthorities {
    /// Where systems keep theirs.
    private static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/cacert.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
    ]

    /// The file that the transport was told, or else the one that `SSL_CERT_FILE` or `CURL_CA_BUNDLE` names, or else the system's; `nil` where
    /// libcurl has to find the authorities by itself.
    static func path(configured: String?) -> String? {
        configured ?? variable("SSL_CERT_FILE") ?? variable("CURL_CA_BUNDLE") ?? usualPlaces.first { access($0, R_OK) == 0 }
    }

    /// - Throws: `TransportError.unreadableAuthorities`.
    static func checkReadable(_ path: String) throws(TransportError) {
        guard access(path, R_OK) == 0 else { throw .unreadableAuthorities(path: path, reason: String(cString: strerror(errno))) }
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
