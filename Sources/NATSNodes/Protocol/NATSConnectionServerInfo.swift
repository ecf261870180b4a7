import Foundation

extension NATSConnection {
    /// The information that a server gives about itself, when a connection is made and when something changes.
    ///
    /// Source: [NATS, INFO](https://docs.nats.io/reference/reference-protocols/nats-protocol#info).
    public struct ServerInfo: Sendable, Equatable, Decodable {
        /// The identifier of the server.
        var serverID = ""
        /// The name of the server; by default the identifier.
        public internal(set) var serverName = ""
        /// The version of the server.
        public internal(set) var version = ""
        /// Whether messages may have headers.
        var supportsHeaders = false
        /// The maximum size of a message, in bytes.
        public internal(set) var maximumPayload = 1 << 20
        /// Whether the server stores streams.
        public internal(set) var hasJetStream = false
        /// The name of the server's cluster.
        public internal(set) var cluster: String?
        /// Other servers of the cluster, as `host:port`.
        public internal(set) var connectURLs: [String] = []
        /// Whether the server is about to shut down, so that clients should connect to another one.
        var isLameDuck = false
        /// Whether the server expects credentials.
        var requiresAuthorization = false
        /// Whether the server expects TLS next.
        var requiresTLS = false
        /// Whether TLS may be used next.
        var offersTLS = false
        /// The text to be signed, if a key proves the identity.
        var nonce: String?

        private enum CodingKeys: String, CodingKey {
            case serverID = "server_id"
            case serverName = "server_name"
            case version
            case supportsHeaders = "headers"
            case maximumPayload = "max_payload"
            case hasJetStream = "jetstream"
            case cluster
            case connectURLs = "connect_urls"
            case isLameDuck = "ldm"
            case requiresAuthorization = "auth_required"
            case requiresTLS = "tls_required"
            case offersTLS = "tls_available"
            case nonce
        }

        init() {}

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys, or other: Value) throws -> Value {
                try values.decodeIfPresent(Value.self, forKey: key) ?? other
            }
            serverID = try value(.serverID, or: "")
            serverName = try value(.serverName, or: serverID)
            version = try value(.version, or: "")
            supportsHeaders = try value(.supportsHeaders, or: false)
            maximumPayload = try value(.maximumPayload, or: 1 << 20)
            hasJetStream = try value(.hasJetStream, or: false)
            cluster = try values.decodeIfPresent(String.self, forKey: .cluster)
            connectURLs = try value(.connectURLs, or: [])
            isLameDuck = try value(.isLameDuck, or: false)
            requiresAuthorization = try value(.requiresAuthorization, or: false)
            requiresTLS = try value(.requiresTLS, or: false)
            offersTLS = try value(.offersTLS, or: false)
            nonce = try values.decodeIfPresent(String.self, forKey: .nonce)
        }

        static func parse(_ bytes: UnsafeRawBufferPointer) throws(NATSError.ProtocolViolation) -> ServerInfo {
            let info: ServerInfo
            do { info = try JSONDecoder().decode(ServerInfo.self, from: Data(bytes)) } catch {
                throw .malformedInfo(reason: error is DecodingError ? "it does not have the protocol's form" : "it is not JSON")
            }
            guard info.maximumPayload > 0 else { throw .malformedInfo(reason: "the maximum payload is \(info.maximumPayload)") }
            return info
        }
    }
}
