import Dispatch
import Foundation
import NATSNodes
import NetNodes
import Synchronization

/// Makes connections with TLS to a real server, each of which gets a little further than the previous one, and records the errors that
/// their users receive.
public struct CutSweep: Sendable {
    /// The findings.
    public struct Report: Sendable, CustomStringConvertible {
        /// The bytes of a complete exchange: the handshakes, and a message.
        public var bytes = 0
        public var connections = 0
        public var successes = 0
        /// The errors by type and case.
        public var errors: [String: Int] = [:]
        /// Texts of errors that quote a secret.
        public var leaks: [String] = []
        /// The longest time until an outcome, in seconds; more than a minute counts as none.
        public var slowest = 0.0
        /// By how much the memory of the process has grown after the first half, in KB.
        public var growth = 0

        public var description: String {
            let counts = errors.sorted { $0.key < $1.key }.map { "\n    \($0.value) \($0.key)" }.joined()
            return """
                connections \(connections), each cut after another number of \(bytes) bytes
                    \(successes) successes\(counts)
                secrets quoted \(leaks.count), slowest \(String(format: "%.3f", slowest)) s, memory grew by \(growth) KB in the second half
                """
        }
    }

    /// The kind of connection.
    public enum Subject: String, Sendable, CaseIterable {
        /// TLS that begins after the server's information, user and password, and a message that comes back.
        case nats
        /// TLS from the first byte, the handshake of a WebSocket, and the first message.
        case webSocket
    }

    public var subject: Subject
    public var cut: CuttingProxy.Cut
    /// The number of connections; `nil` means one after every byte.
    public var connections: Int?
    /// The maximum number of bytes that arrive at a time.
    public var pieceSize: Int
    private let secret = "hunter2-secret"

    public init(_ subject: Subject, _ cut: CuttingProxy.Cut, connections: Int? = nil, pieceSize: Int = .max) {
        self.subject = subject
        self.cut = cut
        self.connections = connections
        self.pieceSize = pieceSize
    }

    public func run() throws -> Report {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cuts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let certificate = try Certificate(in: folder)
        let tls = "tls { cert_file: \"\(certificate.certificate.path)\", key_file: \"\(certificate.key.path)\" }"
        let server = try NATSServer(
            .init(
                configuration: """
                    \(tls)
                    authorization { users: [ { user: ada, password: "\(secret)" } ] }
                    websocket { host: 127.0.0.1, port: -1, \(tls) }
                    """))
        defer { server.kill() }
        let limit = Lock<Int?>(nil)
        let target = subject == .nats ? server.port : try server.webSocketPort
        let proxy = try CuttingProxy(to: target, cut, pieceSize: pieceSize) { _ in limit.withLock { $0 } }
        defer { proxy.close() }
        let authorities = TLSOptions(certificateAuthorities: certificate.certificate.path)

        var report = Report()
        if let error = try outcome(proxy.port, authorities, isCut: false) { throw error }
        report.bytes = proxy.forwarded
        let step = max(1, report.bytes / (connections ?? report.bytes))
        let cuts = Array(stride(from: 0, to: report.bytes, by: step))
        var memory = 0
        for (index, bytes) in cuts.enumerated() {
            limit.withLock { $0 = bytes }
            let start = ContinuousClock.now
            let error = try outcome(proxy.port, authorities, isCut: true)
            report.slowest = max(report.slowest, (ContinuousClock.now - start) / .seconds(1))
            report.connections += 1
            if index == cuts.count / 2 { memory = Self.residentKilobytes }
            guard let error else {
                report.successes += 1
                continue
            }
            report.errors[Self.kind(of: error), default: 0] += 1
            var dumped = "\(error) \(error.localizedDescription)"
            dump(error, to: &dumped)
            if dumped.contains(secret) { report.leaks.append(dumped) }
        }
        report.growth = Self.residentKilobytes - memory
        return report
    }

    struct NoEnd: Error {}

    /// Connects and exchanges a message.
    ///
    /// - Returns: the error that ends it; `nil` if the message arrives.
    private func outcome(_ port: Int, _ tls: TLSOptions, isCut: Bool) throws -> (any Error)? {
        // In silence a limit ends the attempt; in other cases it would only hide that nothing else does.
        let patience: Duration = isCut && cut == .silence ? .milliseconds(20) : .seconds(50)
        let ended = DispatchSemaphore(value: 0)
        let failure = Lock<(any Error)?>(nil)
        let stream = subject == .nats ? natsExchange(port, tls, patience) : webSocketExchange(port, tls, patience)
        let subscription = stream.take(1).subscribe(
            onError: { error in
                failure.withLock { $0 = error }
                ended.signal()
            }, onCompleted: { ended.signal() })
        defer { subscription.dispose() }
        guard ended.wait(timeout: .now() + .seconds(60)) == .success else { throw NoEnd() }
        return failure.withLock { $0 }
    }

    private func natsExchange(_ port: Int, _ tls: TLSOptions, _ patience: Duration) -> Observable<Void> {
        var configuration = NATSConnection.Configuration()
        configuration.tls = tls
        configuration.credentials = .user("ada", password: secret)
        configuration.connectTimeout = patience
        configuration.pingInterval = patience
        configuration.usesDiscoveredServers = false
        configuration.reconnection = .delay(.zero, maxAttempts: 1)
        let final = configuration
        return .deferred {
            let bus = NATSConnection("nats://127.0.0.1:\(port)", configuration: final)
            let received = bus.messages("cuts").map { _ in }.do(onDispose: { bus.close() })
            return .create { observer in
                let subscription = received.subscribe(observer)
                do { try bus.publish("hello", to: "cuts") } catch { observer.onError(error) }
                return subscription
            }
        }
    }

    private func webSocketExchange(_ port: Int, _ tls: TLSOptions, _ patience: Duration) -> Observable<Void> {
        guard let url = URL(string: "wss://127.0.0.1:\(port)/") else { return .empty() }
        var request = HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(secret)"])
        request.timeouts.connect = patience
        return WebSocketNode(keepAlive: patience, tls: tls).messages(request, sending: .never()).map { _ in }
    }

    /// Returns the type and the case of an error.
    private static func kind(of error: any Error) -> String {
        let mirror = Mirror(reflecting: error)
        return "\(typeName(of: error)).\(mirror.children.first?.label ?? "\(error)")"
    }

    private static var residentKilobytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) / 1_024 : 0
    }
}
