// The blocks of `Docs/Messaging.md`, with what they take for granted.
import Foundation
import LoopbackServer
import NetNodes

private struct SocketPage {
    let bag: DisposeBag

    func connects() {
        let node = SocketNode(timeouts: .init(connect: .seconds(5), idle: .seconds(60)))
        let endpoint = SocketConnection.Endpoint(host: "example.com", port: 7000, security: .tls())

        node.stream(endpoint)
            .flatMap { connection -> Observable<Data> in
                connection.send(Data("hello\n".utf8))
                return connection.received
            }
            .subscribe(onNext: { bytes in print(bytes.count) }, onError: { print($0.localizedDescription) })
            .disposed(by: bag)
    }

    func identifies() {
        let identity = TLSOptions.ClientCertificate(certificate: "client.pem", key: "client.key")
        let mutual = SocketConnection.Endpoint(
            host: "127.0.0.1", port: 7001, security: .tls(TLSOptions(certificateAuthorities: "ca.pem", clientCertificate: identity)))
        connect(to: mutual)
    }

    private func connect(to endpoint: SocketConnection.Endpoint) {
        SocketNode().stream(endpoint).subscribe().disposed(by: bag)
    }
}

private struct WebSocketPage {
    struct Quote: Decodable, Sendable {}
    struct Order: Encodable, Sendable {}

    let url: URL
    let orders: Observable<Order>
    let tokens: TokenRefresherNode
    let bearer: any HeaderProvider
    let bag: DisposeBag

    func quotes(_ symbol: String) -> Observable<WebSocketMessage> { .just(.text(symbol)) }

    func receives() {
        let socket = WebSocketNode(subprotocols: ["quotes.v1"])
        let request = HTTPRequest(.get, url, headers: ["Accept-Language": "eo"])  // ws://, wss://, http:// or https://

        socket.messages(request, reconnecting: .exponential(initial: .seconds(1), maxAttempts: 10))  // reads, and connects again
            .decode(as: Quote.self)
            .subscribe(onNext: { print($0) }, onError: { print($0.localizedDescription) })
            .disposed(by: bag)

        socket.stream(request).flatMap { connection -> Observable<WebSocketMessage> in  // or the connection itself
            connection.send(.text("subscribe ACME"))
            orders.subscribe(connection.sender(of: Order.self)).disposed(by: bag)
            return connection.messages
        }
        .subscribe(onNext: { message in print(message.text ?? "") })
        .disposed(by: bag)
    }

    func refreshes(_ request: HTTPRequest) {
        let guarded = Observable.just(request).headers(from: bearer).through(WebSocketNode()).refreshing(with: tokens)
        _ = guarded
    }

    func serves() {
        let server = LoopbackServer(
            .webSocket("/echo") { _, messages in messages },
            .webSocket("/quotes/:symbol", subprotocols: ["quotes.v1"]) { request, _ in quotes(request.parameters["symbol"] ?? "") },
            .webSocket("/busy") { _, _ in .error(LoopbackServer.WebSocketClose(.tryAgainLater, reason: "full")) },
            .webSocket("/torn") { _, messages in messages }.with(.reset(at: .inBody(after: 100)))
        )
        _ = server
    }
}
