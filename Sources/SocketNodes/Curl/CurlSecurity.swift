internal import CLibcurl
import Foundation

extension CurlHandle {
    /// - Parameters:
    ///   - authorities: the authorities of the options, or those that were found in their place.
    ///   - url: the URL for errors.
    package func setSecurity(_ options: TLSOptions, authorities: PEM?, for url: String) throws(TransportError) {
        if let client = options.clientCertificate {
            try set(client.certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, for: url)
            if let key = client.key ?? client.certificate.asKey { try set(key, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, for: url) }
            if let password = client.password { set(CURLOPT_KEYPASSWD, password) }
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

    private func set(_ pem: PEM, _ file: CURLoption, _ blob: CURLoption, for url: String) throws(TransportError) {
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

extension PEM {
    /// The key that accompanies a certificate in memory; libcurl looks for one in files only.
    fileprivate var asKey: PEM? {
        if case .data = self { self } else { nil }
    }
}
