// The blocks of `Docs/Testing.md` about `LoopbackServer`, with what they take for granted.
import Foundation
import LoopbackServer
import Streams

func start() throws {
    let server = LoopbackServer(
        .get("/hello/:name") { request in .text("Hello, \(request.parameters["name"] ?? "you")") },
        .post("/sum") { request in .json(try request.json(as: [Int].self).reduce(0, +)) }
    )
    try server.start()  // port 0: the system chooses; see server.baseURL
    defer { server.stop() }  // when it returns all sockets are closed
    print(server.baseURL)
}

func slowResponses(server: LoopbackServer) {
    let (answers, quotes, log) = (Observable<LoopbackServer.Response>.never(), Observable<String>.never(), Observable<String>.never())
    server.add(
        .stream("GET", "/slow") { request in answers.take(1) },  // Observable<LoopbackServer.Response>
        .get("/quotes") { _ in .events(quotes.map { LoopbackServer.SentEvent(data: $0) }) },  // server-sent events from an Observable
        .get("/log") { _ in .lines(log) }  // JSON lines; `.stream(bytes)` for Observable<Data>
    )
}

func uploads(server: LoopbackServer) {
    let write: @Sendable (Data) -> Observable<Int> = { bytes in .just(bytes.count) }
    server.add(
        .upload("PUT", "/files/:name") { request, body in  // body: Observable<Data>
            body.concatMap(write).reduce(0, accumulator: +).map { .text("\($0) bytes") }
        }
    )
}

func tokens(server: LoopbackServer) {
    let gate = LoopbackServer.TokenGate()
    server.add(gate.protect(.get("/me") { _ in .text("me") }), gate.refreshRoute().with(.delay(.milliseconds(20))))
    gate.expire()
    // ... 1,000 requests at once ...
    print(gate.counts.refreshes)  // 1
}

func closedConnections(server: LoopbackServer) {
    let bag = DisposeBag()
    server.connectionClosed
        .filter { $0.reason == .client }
        .subscribe(onNext: { connection in print(connection.interrupted?.path ?? "nothing", "was interrupted") })
        .disposed(by: bag)
}
