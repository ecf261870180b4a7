import Foundation
import Streams
import TestSupport

@testable import SocketNodes

/// A connection of a test, which stays open until `close()`, and everything it received.
final class OpenSocket: Sendable {
    let connection: SocketConnection
    private let subscription: any Disposable
    private let ended: Slot<Result<Void, any Error>>

    /// Connects, and waits for it.
    init(_ endpoint: SocketConnection.Endpoint, node: SocketNode = SocketNode()) throws {
        let opened = Slot<Result<SocketConnection, any Error>>()
        let ended = Slot<Result<Void, any Error>>()
        subscription = node.stream(endpoint).subscribe(
            onNext: { opened.fill(.success($0)) },
            onError: {
                opened.fill(.failure($0))
                ended.fill(.failure($0))
            },
            onCompleted: { ended.fill(.success(())) })
        self.ended = ended
        guard let result = opened.wait() else { throw TestTookTooLong() }
        connection = try result.get()
    }

    /// How the connection ended.
    func ending() throws {
        guard let result = ended.wait() else { throw TestTookTooLong() }
        try result.get()
    }

    func dispose() {
        subscription.dispose()
    }
}

struct TestTookTooLong: Error {}

extension ScriptedServer {
    var endpoint: SocketConnection.Endpoint { SocketConnection.Endpoint(host: "127.0.0.1", port: Int(port)) }
}

extension Connection {
    /// Sends everything back until the client closes.
    func echo() {
        while let bytes = readAvailable() { send(bytes) }
    }
}

extension SocketConnection {
    /// Receives until there are so many bytes, and leaves the rest to later subscribers of a connection that sends no more.
    func text(count: Int) -> String {
        let bytes = received.scan(into: Data()) { $0.append($1) }.filter { $0.count >= count }.take(1).ended().elements.first ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }
}
