import Foundation

/// The seed of a user's key, from its text in Base32 with a checksum.
///
/// Source: [NKeys](https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth).
struct NKeySeed: Sendable {
    private let key: Ed25519

    init(parsing text: String) throws(NATSError) {
        guard let bytes = Base32.decode(text), bytes.count == 36 else { throw .invalidCredentials(reason: "the seed is no NKey") }
        let checksum = UInt16(bytes[34]) | UInt16(bytes[35]) << 8
        guard NKey.checksum(of: bytes[..<34]) == checksum else { throw .invalidCredentials(reason: "the seed's checksum is wrong") }
        // The first five bits mark a seed, the next eight tell whose seed it is.
        let kind = (bytes[0] & 0x07) << 5 | bytes[1] >> 3
        guard bytes[0] >> 3 == 18, kind == NKey.user else { throw .invalidCredentials(reason: "the seed is not that of a user") }
        key = Ed25519(seed: bytes[2..<34])
    }

    /// Returns the signature of the server's question, in Base64 for URLs.
    func signature(of nonce: String) throws(NATSError) -> String {
        Data(try key.signature(of: nonce.utf8)).base64EncodedString().urlSafe
    }

    /// The text of the user's public key.
    var publicKey: String {
        get throws(NATSError) { NKey.text(of: try key.publicKey, kind: NKey.user) }
    }
}

/// The format of public keys.
enum NKey {
    /// The byte before the public key of a user, which makes the text begin with `U`.
    static let user: UInt8 = 20 << 3

    static func text(of key: [UInt8], kind: UInt8) -> String {
        let bytes = [kind] + key
        let checksum = checksum(of: bytes[...])
        return Base32.encode(bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(checksum >> 8)])
    }

    /// Returns the CRC-16 of XMODEM.
    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt16(byte) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
    }
}

/// Base32 without padding, as in RFC 4648.
enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (word, bits) = (UInt32(0), 0)
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(digits[Int(word >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { text.append(digits[Int(word << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (word, bits) = (UInt32(0), 0)
        for character in text.utf8 {
            guard let value = digits.firstIndex(of: character) else { return nil }
            word = word << 5 | UInt32(value)
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
        }
        return bytes
    }
}

extension String {
    fileprivate var urlSafe: String {
        replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
