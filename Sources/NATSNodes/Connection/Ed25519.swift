import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A private key that signs, by the cryptography of the system: CryptoKit, and on Linux the libcrypto that libcurl has loaded.
struct Ed25519: Sendable {
    /// The seed: 32 bytes.
    private let seed: [UInt8]

    init(seed: some Sequence<UInt8>) {
        self.seed = Array(seed)
    }

    #if canImport(CryptoKit)
        /// - Throws: ``NATSError/invalidCredentials(reason:)``.
        func signature(of message: some Sequence<UInt8>) throws(NATSError) -> [UInt8] {
            do { return [UInt8](try key.signature(for: Data(message))) } catch { throw Self.failure }
        }

        /// The public key: 32 bytes.
        var publicKey: [UInt8] {
            get throws(NATSError) {
                do { return [UInt8](try key.publicKey.rawRepresentation) } catch { throw Self.failure }
            }
        }

        private var key: Curve25519.Signing.PrivateKey {
            get throws { try Curve25519.Signing.PrivateKey(rawRepresentation: seed) }
        }
    #else
        /// - Throws: ``NATSError/invalidCredentials(reason:)``.
        func signature(of message: some Sequence<UInt8>) throws(NATSError) -> [UInt8] {
            try withKey { library, key in
                guard let context = library.newContext() else { return nil }
                defer { library.freeContext(context) }
                let bytes = Array(message)
                var (signature, count) = ([UInt8](repeating: 0, count: 64), 64)
                guard library.beginSigning(context, nil, nil, nil, key) == 1,
                    library.sign(context, &signature, &count, bytes, bytes.count) == 1, count == 64
                else { return nil }
                return signature
            }
        }

        /// The public key: 32 bytes.
        var publicKey: [UInt8] {
            get throws(NATSError) {
                try withKey { library, key in
                    var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
                    return library.publicKey(key, &bytes, &count) == 1 && count == 32 ? bytes : nil
                }
            }
        }

        private func withKey(_ body: (CryptoLibrary, OpaquePointer) -> [UInt8]?) throws(NATSError) -> [UInt8] {
            guard let library = CryptoLibrary() else {
                throw .invalidCredentials(reason: "signatures of NKeys need libcrypto of OpenSSL 1.1.1 or later, which cannot be loaded")
            }
            guard let key = library.newKey(CryptoLibrary.ed25519, nil, seed, seed.count) else { throw Self.failure }
            defer { library.freeKey(key) }
            guard let result = body(library, key) else { throw Self.failure }
            return result
        }
    #endif

    private static let failure = NATSError.invalidCredentials(reason: "the seed is no key of Ed25519")
}

#if !canImport(CryptoKit)
    /// The functions of libcrypto that sign.
    ///
    /// Source: [OpenSSL, EVP_DigestSign](https://docs.openssl.org/3.0/man3/EVP_DigestSignInit/).
    private struct CryptoLibrary: Sendable {
        /// `EVP_PKEY_ED25519`.
        static let ed25519: Int32 = 1_087

        let newKey: @convention(c) @Sendable (Int32, OpaquePointer?, UnsafePointer<UInt8>?, Int) -> OpaquePointer?
        let freeKey: @convention(c) @Sendable (OpaquePointer?) -> Void
        let publicKey: @convention(c) @Sendable (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?) -> Int32
        let newContext: @convention(c) @Sendable () -> OpaquePointer?
        let freeContext: @convention(c) @Sendable (OpaquePointer?) -> Void
        let beginSigning: @convention(c) @Sendable (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
        let sign:
            @convention(c) @Sendable (
                OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
            ) -> Int32

        /// Loads the library; returns `nil` if no library of the system knows Ed25519. Each call tries again: loading can fail for lack of
        /// a free descriptor and succeed later.
        init?() {
            // The library is never unloaded: it belongs to the process.
            guard let library = dlopen("libcrypto.so.3", RTLD_NOW) ?? dlopen("libcrypto.so.1.1", RTLD_NOW),
                let newKey = dlsym(library, "EVP_PKEY_new_raw_private_key"), let freeKey = dlsym(library, "EVP_PKEY_free"),
                let publicKey = dlsym(library, "EVP_PKEY_get_raw_public_key"), let newContext = dlsym(library, "EVP_MD_CTX_new"),
                let freeContext = dlsym(library, "EVP_MD_CTX_free"), let beginSigning = dlsym(library, "EVP_DigestSignInit"),
                let sign = dlsym(library, "EVP_DigestSign")
            else { return nil }
            func function<Function>(_ address: UnsafeMutableRawPointer) -> Function { unsafeBitCast(address, to: Function.self) }
            self.newKey = function(newKey)
            self.freeKey = function(freeKey)
            self.publicKey = function(publicKey)
            self.newContext = function(newContext)
            self.freeContext = function(freeContext)
            self.beginSigning = function(beginSigning)
            self.sign = function(sign)
        }
    }
#endif
