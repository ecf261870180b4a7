import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A file of the tools of NATS, with a JWT and the seed of a key.
///
/// Source: [NATS, credentials files](https://docs.nats.io/using-nats/developer/connecting/creds).
struct CredentialsFile: Sendable {
    private static let sizeLimit = 64 * 1024

    let token: String
    let key: NKeySeed

    init(contentsOf url: URL) throws(NATSError) {
        let text = try Self.text(of: url)
        do throws(NATSError) { try self.init(parsing: text) } catch { throw error.naming(url) }
    }

    /// The text of a file that has an end: a pipe would block the connection for ever, and a device would fill the memory.
    private static func text(of url: URL) throws(NATSError) -> String {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if descriptor >= 0 { close(descriptor) } }
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidCredentials(reason: "the file \(url.path) cannot be read")
        }
        guard status.st_size <= sizeLimit else { throw .invalidCredentials(reason: "the file \(url.path) is too large") }
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw .invalidCredentials(reason: "the file \(url.path) cannot be read")
        }
        return text
    }

    /// The file's token, and the signature of the server's question.
    static func answer(to nonce: String, from url: URL) throws(NATSError) -> (token: String, signature: String) {
        let file = try CredentialsFile(contentsOf: url)
        do throws(NATSError) { return (file.token, try file.key.signature(of: nonce)) } catch { throw error.naming(url) }
    }

    init(parsing text: String) throws(NATSError) {
        guard let token = Self.section("NATS USER JWT", of: text) else { throw .invalidCredentials(reason: "the file has no user's JWT") }
        guard let seed = Self.section("USER NKEY SEED", of: text) else { throw .invalidCredentials(reason: "the file has no seed") }
        self.token = token
        key = try NKeySeed(parsing: seed)
    }

    /// The first line between two lines of dashes.
    private static func section(_ name: String, of text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("---") && $0.contains("BEGIN \(name)") }) else { return nil }
        let content = lines[(start + 1)...].prefix { !$0.hasPrefix("---") }.filter { !$0.isEmpty }
        return content.count == 1 ? content.first : nil
    }
}

extension NATSError {
    /// The error with the path of the file that is to be mended; nothing of its content.
    fileprivate func naming(_ file: URL) -> NATSError {
        guard case .invalidCredentials(let reason) = self else { return self }
        return .invalidCredentials(reason: "\(reason) (\(file.path))")
    }
}

/// The seed of a user's key, from its text in Base32 with a checksum.
///
/// Source: [NKeys](https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth).
struct NKeySeed: Sendable {
    private let seed: [UInt8]

    init(parsing text: String) throws(NATSError) {
        guard let bytes = Self.decodeBase32(text), bytes.count == 36 else { throw .invalidCredentials(reason: "the seed is no NKey") }
        let checksum = UInt16(bytes[34]) | UInt16(bytes[35]) << 8
        guard Self.checksum(of: bytes[..<34]) == checksum else { throw .invalidCredentials(reason: "the seed's checksum is wrong") }
        // The first five bits say that it is a seed, the next eight whose: 18 is a seed, 20 a user.
        let kind = (bytes[0] & 0x07) << 5 | bytes[1] >> 3
        guard bytes[0] >> 3 == 18, kind >> 3 == 20 else { throw .invalidCredentials(reason: "the seed is not that of a user") }
        seed = Array(bytes[2..<34])
    }

    /// The signature of the server's question, in Base64 for URLs.
    func signature(of nonce: String) throws(NATSError) -> String {
        #if canImport(CryptoKit)
            do {
                let key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
                return try key.signature(for: Data(nonce.utf8)).base64EncodedString().urlSafe
            } catch { throw .invalidCredentials(reason: "the seed is no key of Ed25519") }
        #else
            throw .invalidCredentials(reason: "signatures of NKeys need Ed25519, which the Swift toolchain does not offer on this platform")
        #endif
    }

    private static func decodeBase32(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (word, bits) = (UInt32(0), 0)
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case 0x41...0x5A: value = character - 0x41
            case 0x32...0x37: value = character - 0x32 + 26
            default: return nil
            }
            word = word << 5 | UInt32(value)
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        }
        return bytes
    }

    /// CRC-16 of XMODEM.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt16(byte) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
    }
}

#if canImport(CryptoKit)
    extension String {
        fileprivate var urlSafe: String {
            replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
    }
#endif
