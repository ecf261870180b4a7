import Foundation

/// The bundle of trusted certificate authorities, a PEM file.
package enum CertificateAuthorities {
    /// The default locations of various systems.
    private static let usualPlaces = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/cacert.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem", "/usr/local/share/certs/ca-root-nss.crt",
    ]

    /// Returns the configured authorities, or those in the file of `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, or the system's; returns `nil` if
    /// libcurl has to find the authorities itself.
    package static func found(configured: PEM?) -> PEM? {
        configured
            ?? (variable("SSL_CERT_FILE") ?? variable("CURL_CA_BUNDLE") ?? usualPlaces.first { access($0, R_OK) == 0 }).map { .file($0) }
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
