import Foundation
import LoopbackServer
import NATSNodes
import OpenDescriptors
import SystemSources
import TerminalViews

/// What the program can do first in its process, each a stream that emits something if there are enough descriptors.
enum Uses {
    static func stream(_ name: String, at address: String) throws -> Observable<String> {
        switch name {
        case "socket": try socket(address)
        case "webSocket": WebSocketNode().stream(HTTPRequest(.get, try address.url())).map { _ in "connected" }
        case "request": CurlTransport().response(to: HTTPRequest(.get, try address.url())).map { "\($0.status)" }.asObservable()
        case "nats": nats(address)
        case "timer": timer(.milliseconds(1), on: ConcurrentDispatchQueueScheduler(qos: .utility)).map { _ in "fired" }
        case "timers": timers()
        case "observeOn": numbers(on: SerialDispatchQueueScheduler())
        case "operations": numbers(on: OperationQueueScheduler(operationQueue: OperationQueue()))
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
        return SocketNode().stream(SocketEndpoint(host: url.host() ?? "", port: url.port ?? 0)).map { _ in "connected" }
    }

    private static func nats(_ address: String) -> Observable<String> {
        .deferred {
            let bus = NATSConnection(address)
            return bus.flush().andThen(.just("flushed")).do(onDispose: { bus.close() })
        }
    }

    private static func timer(_ delay: Duration, on scheduler: any Scheduler) -> Observable<Int> {
        Observable<Int>.timer(delay, scheduler: scheduler)
    }

    /// Many delays at a time, of which the later ones are often the shorter ones.
    private static func timers() -> Observable<String> {
        let scheduler = SerialDispatchQueueScheduler()
        let delays = (0..<20).map { ($0 * 7) % 20 }
        return Observable.merge(
            delays.map { delay in
                timer(.milliseconds(delay * 2), on: scheduler).map { _ in delay }
            }
        ).toArray().asObservable().map { $0.sorted() == Array(0..<20) ? "all fired" : "\($0)" }
    }

    /// Elements move to the scheduler, one element one action, in their order.
    private static func numbers(on scheduler: any Scheduler) -> Observable<String> {
        Observable.from(0..<100).concatMap { Observable.just($0).observe(on: scheduler) }.toArray().asObservable()
            .map { $0 == Array(0..<100) ? "in order" : "\($0)" }
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
        let server = LoopbackServer(routes: [])
        defer { server.stop() }
        try server.start()
        return server.port
    }
}
