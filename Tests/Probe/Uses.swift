import Foundation
import LoopbackServer
import NATSNodes
import NetNodes
import SystemSources
import TerminalViews
import TestSupport

/// The uses of the program: each is a stream that emits something if there are enough descriptors.
enum Uses {
    static func stream(_ name: String, at address: String) throws -> Observable<String> {
        switch name {
        case "socket": try socket(address)
        case "webSocket": WebSocketNode().stream(HTTPRequest(.get, try address.url())).map { _ in "connected" }
        case "request": CurlTransport().response(to: HTTPRequest(.get, try address.url())).map { "\($0.status)" }.asObservable()
        case "nats": nats(address)
        case "file": .lines(of: URL(filePath: address)).take(1)
        case "command": Command("/bin/echo", "done").lines()
        case "changes":
            Observable<DirectoryChange>.changes(in: URL(filePath: address), includingExisting: true).take(1).map { _ in "changed" }
        case "keyboard": keyboard()
        case "server": .deferred { .just("\(try serve() > 0)") }
        default: throw CocoaError(.featureUnsupported)
        }
    }

    private static func socket(_ address: String) throws -> Observable<String> {
        let url = try address.url()
        return SocketNode().stream(SocketConnection.Endpoint(host: url.host() ?? "", port: url.port ?? 0)).map { _ in "connected" }
    }

    private static func nats(_ address: String) -> Observable<String> {
        .deferred {
            let bus = NATSConnection(address)
            return bus.flush().andThen(.just("flushed")).do(onDispose: { bus.close() })
        }
    }

    /// Reads the standard input, which has nothing to say.
    private static func keyboard() -> Observable<String> {
        .deferred {
            let (keyboard, keys) = MainActor.assumeIsolated {
                let keyboard = Keyboard()
                return (keyboard, keyboard.keys)
            }
            let reading = Observable.merge(keys.map { _ in "key" }, .just("reads"))
            return reading.do(onDispose: { MainActor.assumeIsolated { keyboard.stop() } })
        }
    }

    private static func serve() throws -> Int {
        let server = LoopbackServer()
        defer { server.stop() }
        try server.start()
        return server.port
    }
}
