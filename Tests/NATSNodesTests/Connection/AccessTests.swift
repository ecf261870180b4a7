import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Access to a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct AccessTests {
    private static let users = """
        authorization { users: [
            { user: bob, password: secret, permissions: { publish: ["open.>", "_INBOX.>"], subscribe: ["open.>", "_INBOX.>"] } }
            { user: ada, password: "p@ss:word" } ] }
        """

    @Test func `User and password are those of the URL or of the configuration`() throws {
        let server = try NATSServer(.init(configuration: Self.users))
        let inURL = NATSConnection("nats://ada:p%40ss%3Aword@127.0.0.1:\(server.port)", configuration: patiently())
        try inURL.settle()
        let configured = NATSConnection(server.url, configuration: quickly { $0.credentials = .user("ada", password: "p@ss:word") })
        try configured.settle()
    }

    @Test(arguments: ["bob:wrong-secret@", ""])
    func `Wrong credentials are a typed error that does not quote them`(_ credentials: String) throws {
        let server = try NATSServer(.init(configuration: Self.users))
        let bus = NATSConnection("nats://\(credentials)127.0.0.1:\(server.port)", configuration: quickly())
        let events = Recorder(bus.events)
        let error = Recorder(bus.messages("a")).failure()
        let refusal = NATSError.unauthorized(server: "127.0.0.1:\(server.port)", reason: "Authorization Violation")
        #expect(error == refusal)
        #expect(try events.first(1) == [.gaveUp(refusal, unsent: 0)])
    }

    @Test func `A token is sent, and one that expires is obtained anew for each connection`() throws {
        let server = try NATSServer(.init(configuration: "authorization { token: \"t0ken\" }"))
        try NATSConnection("nats://t0ken@127.0.0.1:\(server.port)", configuration: patiently()).settle()
        let attempts = Lock(0)
        let refreshed = NATSConnection.Credentials.refreshed {
            attempts.withLock { $0 += 1 }
            return Observable.just(.token("t0ken"))
        }
        let bus = NATSConnection(server.url, configuration: quickly { $0.credentials = refreshed })
        let events = Recorder(bus.events)
        try bus.settle()
        server.kill()
        try server.start()
        try events.first { if case .reconnected = $0 { true } else { false } }
        #expect(attempts.withLock { $0 } >= 2)
    }

    @Test func `What a user may not subscribe to fails that stream only, and what it may not publish is told`() throws {
        let server = try NATSServer(.init(configuration: Self.users))
        let bus = NATSConnection("nats://bob:secret@127.0.0.1:\(server.port)", configuration: quickly())
        let events = Recorder(bus.events)
        let open = Recorder(bus.messages("open.a"))
        guard case .forbidden(let subject, _)? = Recorder(bus.messages("closed.a")).failure() else { return #expect(Bool(false)) }
        #expect(subject == "closed.a")
        try bus.publish("1", to: "closed.b")
        try events.first { if case .serverError(.forbidden(subject: "closed.b", _)) = $0 { true } else { false } }
        try bus.publish("2", to: "open.a")
        #expect(try open.first(1).map(\.text) == ["2"])
    }

    @Test func `A request to what a user may not publish fails at once, and so does one whose answer it may not receive`() throws {
        let users = """
            authorization { users: [
                { user: bob, password: secret, permissions: { publish: ["open.>"], subscribe: ["_INBOX.>"] } }
                { user: eve, password: secret, permissions: { publish: ["open.>"], subscribe: ["open.>"] } } ] }
            """
        let server = try NATSServer(.init(configuration: users))
        // The limit of a request is that of the test: an error before it comes from the server.
        let patient = quickly { $0.requestTimeout = patience * 2 }
        let bob = NATSConnection("nats://bob:secret@127.0.0.1:\(server.port)", configuration: patient)
        guard case .forbidden("closed.a", _)? = Recorder(bob.request(Data(), to: "closed.a").asObservable()).failure() else {
            return #expect(Bool(false))
        }
        let eve = NATSConnection("nats://eve:secret@127.0.0.1:\(server.port)", configuration: patient)
        guard case .forbidden(let inbox, _)? = Recorder(eve.request(Data(), to: "open.a").asObservable()).failure() else {
            return #expect(Bool(false))
        }
        #expect(inbox.hasPrefix("_INBOX."))
    }

    @Test func `Streams that a user may not read fail, however they are read`() throws {
        let users = """
            authorization { users: [
                { user: ada, password: secret }
                { user: bob, password: secret, permissions: {
                    publish: { deny: ["$JS.API.CONSUMER.MSG.NEXT.>", "$JS.API.CONSUMER.CREATE.>"] } } } ] }
            """
        let server = try NATSServer(.init(hasJetStream: true, configuration: users))
        _ = try NATSConnection("nats://ada:secret@127.0.0.1:\(server.port)").stream("S").create { $0.storage = .memory }.ended().one()
        let stream = NATSConnection("nats://bob:secret@127.0.0.1:\(server.port)", configuration: quickly()).stream("S")
        let errors = [Recorder(stream.consume("c").map { _ in }).failure(), Recorder(stream.replay().map { _ in }).failure()]
        let subjects = errors.map { error -> String in
            if case .forbidden(let subject, _)? = error { subject } else { "\(String(describing: error))" }
        }
        #expect(subjects == ["$JS.API.CONSUMER.MSG.NEXT.S.c", "$JS.API.CONSUMER.CREATE.S"])
    }

    @Test func `TLS is established where the server requires it, and its certificate is verified`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let certificate = try Certificate(in: folder.url)
        let configuration = "tls { cert_file: \"\(certificate.certificate.path)\", key_file: \"\(certificate.key.path)\" }\n" + Self.users
        let server = try NATSServer(.init(configuration: configuration))
        let trusting = quickly { $0.tls = TLSOptions(certificateAuthorities: certificate.certificate.path) }
        for scheme in ["nats", "tls"] {
            let bus = NATSConnection("\(scheme)://bob:secret@127.0.0.1:\(server.port)", configuration: trusting)
            let received = Recorder(bus.messages("open.a"))
            try bus.settle()
            try bus.publish(Data(repeating: 7, count: 300_000), to: "open.a")
            #expect(try received.first(1).first?.body.count == 300_000)
        }
        let doubting = NATSConnection("nats://bob:secret@127.0.0.1:\(server.port)", configuration: quickly())
        guard case .insecure(let name, let reason)? = Recorder(doubting.messages("open.a")).failure() else { return #expect(Bool(false)) }
        #expect(name == "127.0.0.1:\(server.port)")
        #expect(!reason.contains("secret"))
    }

    @Test func `A server that verifies its clients gets the certificate, and refuses who has none`() throws {
        let (own, clients) = (try TemporaryFolder(), try TemporaryFolder())
        defer {
            own.remove()
            clients.remove()
        }
        let (certificate, client) = (try Certificate(in: own.url), try Certificate(in: clients.url))
        let server = try NATSServer(
            .init(
                configuration: """
                    tls {
                        cert_file: "\(certificate.certificate.path)", key_file: "\(certificate.key.path)"
                        ca_file: "\(client.certificate.path)", verify: true
                    }
                    """))
        let identity = TLSOptions.ClientCertificate(certificate: client.certificate.path, key: client.key.path)
        let known = quickly {
            $0.tls = TLSOptions(certificateAuthorities: certificate.certificate.path, clientCertificate: identity)
        }
        let bus = NATSConnection(server.url, configuration: known)
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        try bus.publish("hello", to: "a")
        #expect(try received.first(1).map(\.text) == ["hello"])

        let unknown = quickly { $0.tls = TLSOptions(certificateAuthorities: certificate.certificate.path) }
        let error = Recorder(NATSConnection(server.url, configuration: unknown).messages("a")).failure()
        switch error {
        // Its alert, or the end of the connection if that overtakes it.
        case .insecure?, .cannotConnect?: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test func `Where verification is switched off, a server with any certificate is accepted`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let certificate = try Certificate(in: folder.url)
        let tls = "tls { cert_file: \"\(certificate.certificate.path)\", key_file: \"\(certificate.key.path)\" }"
        let server = try NATSServer(.init(configuration: tls))
        let trusting = quickly { $0.tls = TLSOptions(verifiesServer: false) }
        try NATSConnection("nats://localhost:\(server.port)", configuration: trusting).settle()
        let error = Recorder(NATSConnection(server.url, configuration: quickly()).messages("a")).failure()
        guard case .insecure? = error else { return #expect(error == nil) }
    }

    @Test func `No event and no error holds a secret`() throws {
        let server = try NATSServer(.init(configuration: Self.users))
        let bus = NATSConnection("nats://ada:p%40ss%3Aword@127.0.0.1:\(server.port)", configuration: quickly())
        let events = Recorder(bus.events)
        try bus.settle()
        server.kill()
        try events.first { if case .disconnected = $0 { true } else { false } }
        bus.close()
        var dumped = ""
        for event in try events.all() { dump(event, to: &dumped) }
        dump(bus.configuration.credentials as Any, to: &dumped)
        #expect(!dumped.contains("p@ss"))
        #expect(dumped.contains("disconnected"))
    }
}

/// A folder for the files of a test.
private struct TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "nats-test-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
