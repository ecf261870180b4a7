import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// When a credentials file is read, and how an error tells of one that cannot be used.
@Suite("Credentials files", .blocksThread)
struct CredentialsFileTests {
    private static let token = "eyJhbGciOiJlZDI1NTE5LW5rZXkifQ"

    static func text(_ token: String = token, seed: String = KeyTests.seed) -> String {
        """
        -----BEGIN NATS USER JWT-----
        \(token)
        ------END NATS USER JWT------

        -----BEGIN USER NKEY SEED-----
        \(seed)
        ------END USER NKEY SEED------
        """
    }

    @Test func `A file has a token and a seed`() throws {
        var request = ConnectRequest(isSecure: false)
        try CredentialsFile(parsing: Self.text("abc.def")).proof.authorize(&request, nonce: "nonce")
        #expect(request.jwt == "abc.def")
        #expect(request.signature == (try NKeySeed(parsing: KeyTests.seed).signature(of: "nonce")))
    }

    @Test(arguments: ["", "SUA", KeyTests.seed.replacing("K2", with: "K3"), "S\(KeyTests.seed)", KeyTests.seed.lowercased()])
    func `A seed is checked when the file is read, and not quoted`(_ seed: String) {
        let error = #expect(throws: NATSError.self) { try CredentialsFile(parsing: Self.text(seed: seed)) }
        if case .invalidCredentials? = error {} else { Issue.record("\(String(describing: error))") }
        #expect(seed.isEmpty || error?.description.contains(seed) == false)
    }

    @Test func `A file that is replaced while a connection is made counts from the next connection`() throws {
        let file = try TemporaryFile()
        try file.write(Self.text("first-token"))
        let requests = Lock<[String]>([])
        try withServer { connection in
            try? file.write(Self.text("second-token"))
            connection.write(serverInformation())
            let request = connection.read(until: "PING\r\n") ?? ""
            requests.withLock { $0.append(request) }
            connection.write("-ERR 'Neither first-token nor second-token'\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.credentials = .file(file.url) })
            let refusals = (0..<2).map { _ in Recorder(bus.messages("b")).failure()?.description ?? "" }
            bus.close()
            let tokens = requests.withLock(\.self).map { request in ["first", "second"].filter { request.contains("\($0)-token") } }
            #expect(tokens == [["first"], ["second"]])
            #expect(refusals[0].contains("Neither *** nor second-token"))
            #expect(refusals[1].contains("Neither first-token nor ***"))
        }
    }

    /// A file that cannot be used, and the reason that the error gives.
    struct Damage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (TemporaryFile) throws -> Void
        let reason: @Sendable (_ path: String) -> String

        init(_ name: String, _ reason: @escaping @Sendable (String) -> String, make: @escaping @Sendable (TemporaryFile) throws -> Void) {
            (testDescription, self.make, self.reason) = (name, make, reason)
        }

        init(_ name: String, text: String, _ reason: @escaping @Sendable (String) -> String) {
            self.init(name, reason) { try $0.write(text) }
        }

        static let unreadable: @Sendable (String) -> String = { "the file \($0) cannot be read" }
        static let tokenless: @Sendable (String) -> String = { "the file has no user's JWT (\($0))" }
        static let seedless: @Sendable (String) -> String = { "the file has no seed (\($0))" }
    }

    static let damages = [
        Damage("missing", Damage.unreadable) { _ in },
        Damage("a folder", Damage.unreadable) { try FileManager.default.createDirectory(at: $0.url, withIntermediateDirectories: false) },
        Damage("a pipe that nobody writes to", Damage.unreadable) { try #require(mkfifo($0.path, 0o600) == 0) },
        Damage("an endless device", Damage.unreadable) { try #require(symlink("/dev/zero", $0.path) == 0) },
        Damage("a link to itself", Damage.unreadable) { try #require(symlink($0.path, $0.path) == 0) },
        Damage("not UTF-8", Damage.unreadable) { try Data([0xFF, 0xFE] + text().utf8).write(to: $0.url) },
        Damage("too large by a byte", text: String(repeating: "-", count: 65_537)) { "the file \($0) is too large" },
        Damage("a line as long as may be", text: String(repeating: "-", count: 65_536), Damage.tokenless),
        Damage("empty", text: "", Damage.tokenless),
        Damage("without newlines", text: text().replacing("\n", with: " "), Damage.tokenless),
        Damage("without a seed", text: text(seed: ""), Damage.seedless),
        Damage("with two seeds", text: text(seed: "\(KeyTests.seed)\n\(KeyTests.seed)"), Damage.seedless),
        Damage("with a wrong seed", text: text(seed: "\(KeyTests.seed.dropLast())A")) { "the seed's checksum is wrong (\($0))" },
    ]

    @Test(arguments: damages)
    func `A file that cannot be used is an error that names it, before anything is sent`(_ damage: Damage) throws {
        let file = try TemporaryFile()
        try damage.make(file)
        let requests = Lock(0)
        try withServer { _ in
            requests.withLock { $0 += 1 }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.credentials = .file(file.url) })
            #expect(Recorder(bus.messages("a")).failure() == .invalidCredentials(reason: damage.reason(file.path)))
            bus.close()
        }
        #expect(requests.withLock { $0 } == 0)
    }

    @Test func `A file that ends anywhere is whole or an error that names it and quotes nothing of it`() throws {
        let file = try TemporaryFile()
        let text = Self.text()
        let needed = try #require(text.range(of: KeyTests.seed)).upperBound
        for end in text.indices + [text.endIndex] {
            try file.write(String(text[..<end]))
            do {
                let proof = try CredentialsFile(contentsOf: file.url).proof
                #expect(end >= needed)
                #expect(proof.secrets == [Self.token, KeyTests.seed])
            } catch {
                #expect(end < text.endIndex)
                #expect(error.description.contains(file.path))
                #expect(!error.description.contains(Self.token.prefix(4)) && !error.description.contains(KeyTests.seed.prefix(4)))
            }
        }
    }
}

/// The place of a file in a folder of its own, which is removed with it.
final class TemporaryFile: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "nats-test-\(UUID().uuidString)")

    var url: URL { folder.appending(path: "user.creds") }
    var path: String { url.path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: url, options: .atomic)
    }
}
