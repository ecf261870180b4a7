import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// Users who prove by a signature who they are.
@Suite("Keys and a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct KeyTests {
    static let seed = "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU"
    private static let otherSeed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"

    /// Who issues tokens: an operator, or an account.
    private struct Issuer {
        let key: Ed25519
        let name: String

        init(_ kind: UInt8, seed: UInt8) throws {
            key = Ed25519(seed: [UInt8](repeating: seed, count: 32))
            name = NKey.text(of: try key.publicKey, kind: kind)
        }

        func token(for subject: String, _ type: String, _ details: String = "") throws -> String {
            let claims = """
                {"jti":"x","iat":1,"iss":"\(name)","name":"n","sub":"\(subject)","nats":{\(details)"type":"\(type)","version":2}}
                """
            let text = Self.encoded(Data(#"{"typ":"JWT","alg":"ed25519-nkey"}"#.utf8)) + "." + Self.encoded(Data(claims.utf8))
            return text + "." + Self.encoded(Data(try key.signature(of: text.utf8)))
        }

        private static func encoded(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
    }

    /// A server that trusts an operator, and the token of a user of its only account.
    private func operated() throws -> (NATSServer, token: String) {
        let (trusted, account) = (try Issuer(14 << 3, seed: 1), try Issuer(0, seed: 2))
        let limits = #""subs":-1,"data":-1,"payload":-1"#
        let accountToken = try trusted.token(
            for: account.name, "account", #""limits":{\#(limits),"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1},"#)
        let user = try NKeySeed(parsing: Self.seed).publicKey
        let server = try NATSServer(
            .init(
                configuration: """
                    operator: "\(try trusted.token(for: trusted.name, "operator"))"
                    resolver: MEMORY
                    resolver_preload: { \(account.name): "\(accountToken)" }
                    """))
        return (server, try account.token(for: user, "user", #""pub":{},"sub":{},\#(limits),"#))
    }

    private func failure(_ server: NATSServer, _ credentials: NATSConnection.Credentials) -> NATSError? {
        let bus = NATSConnection(server.url, configuration: quickly { $0.credentials = credentials })
        return Recorder(bus.messages("a")).failure()
    }

    @Test func `The public key of a seed is that of the tools of NATS`() throws {
        #expect(try NKeySeed(parsing: Self.otherSeed).publicKey == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
    }

    @Test func `Each 32 bytes are the same again when they have been text`() {
        for byte in UInt8.min...UInt8.max {
            let bytes = (UInt8(0)..<33).map { $0 &* 7 &+ byte }
            for count in [0, 1, 2, 3, 4, 5, 32, 33] {
                #expect(Base32.decode(Base32.encode(Array(bytes.prefix(count)))) == Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `A user with a key is let in, again after a lost connection, and another key is refused`() throws {
        let user = try NKeySeed(parsing: Self.seed).publicKey
        let server = try NATSServer(.init(configuration: "authorization { users: [ { nkey: \(user) } ] }"))
        let bus = NATSConnection(server.url, configuration: quickly { $0.credentials = .key(seed: Self.seed) })
        try bus.settle()
        let events = Recorder(bus.events)
        server.kill()
        try server.start()
        try events.first { if case .reconnected = $0 { true } else { false } }
        guard case .unauthorized(_, let reason)? = failure(server, .key(seed: Self.otherSeed)) else { return #expect(Bool(false)) }
        #expect(!reason.contains(Self.otherSeed))
    }

    @Test(arguments: ["", "SU", "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBA", "sua"])
    func `A seed that is none is a typed error that does not quote it`(_ seed: String) throws {
        let server = try NATSServer()
        guard case .invalidCredentials(let reason)? = failure(server, .key(seed: seed)) else { return #expect(Bool(false)) }
        #expect(seed.isEmpty || !reason.contains(seed))
        #expect("\(NATSConnection.Credentials.key(seed: seed))" == "key")
    }

    @Test func `A token with a key is let in, from memory and from a file, and refused with another key`() throws {
        let (server, token) = try operated()
        try NATSConnection(server.url, configuration: quickly { $0.credentials = .jwt(token, seed: Self.seed) }).settle()
        let file = server.directory.appending(path: "user.creds")
        let text = """
            -----BEGIN NATS USER JWT-----
            \(token)
            ------END NATS USER JWT------

            -----BEGIN USER NKEY SEED-----
            \(Self.seed)
            ------END USER NKEY SEED------
            """
        try Data(text.utf8).write(to: file)
        let bus = NATSConnection(server.url, configuration: quickly { $0.credentials = .file(file) })
        let received = Recorder(bus.messages("a", as: Int.self).map(\.body))
        try bus.settle()
        try bus.publish(7, to: "a")
        let first = try received.first(1)
        #expect(first == [7])
        let refusals = [
            failure(server, .jwt(token, seed: Self.otherSeed)), failure(server, .key(seed: Self.seed)), failure(server, .token(token)),
        ]
        for refusal in refusals {
            guard case .unauthorized(_, let reason)? = refusal else { return #expect(Bool(false), "\(String(describing: refusal))") }
            #expect(!reason.contains(token) && !reason.contains(Self.otherSeed))
        }
    }
}
