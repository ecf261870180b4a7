import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import SocketNodes

/// Sends back what it receives, in another process.
private let echo = """
    import socket, threading
    def serve(client):
        while True:
            data = client.recv(65536)
            if not data: break
            client.sendall(data)
        client.close()
    server = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(server.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
    """

/// In processes of their own: the limit is the whole process's.
@Suite("File descriptors of sockets", .enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"))
struct SocketDescriptorTests {
    @Test(.startsChild) func `With too few descriptors connections are a typed error, those that are open go on, and later ones succeed`()
        async
    {
        await #expect(processExitsWith: .success) {
            // Without descriptors Dispatch could not.
            OpenDescriptors.prepareDispatch()
            let server = try SecureServer { _ in echo }
            defer { server.stop() }
            let endpoint = SocketConnection.Endpoint(host: "127.0.0.1", port: server.port)
            let first = try OpenSocket(endpoint)
            for spare in 0..<6 {
                try OpenDescriptors.limit(toSpare: spare)
                let outcomes = Observable.merge(
                    (0..<50).map { _ in
                        SocketNode().stream(endpoint).flatMap { connection -> Observable<Data> in
                            connection.send(Data("x".utf8))
                            return connection.received.take(1)
                        }
                        .take(1).convertToResult().asObservable()
                    }
                ).ended().elements
                #expect(outcomes.count == 50)
                for case .failure(let error) in outcomes { #expect(error.kind == "TransportError.cannotConnect") }
                first.connection.send(Data("still".utf8))
                #expect(first.connection.text(count: 5) == "still")
                try OpenDescriptors.unlimit()
                let socket = try OpenSocket(endpoint)
                socket.connection.send(Data("again".utf8))
                #expect(socket.connection.text(count: 5) == "again")
                socket.dispose()
            }
            first.dispose()
        }
    }
}
