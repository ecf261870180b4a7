import LoopbackServer
import NetNodes

struct Quote: Codable, Sendable, Equatable {
    let symbol: String
    let price: Double
}

struct Rate: Codable, Sendable, Equatable {
    let currency: String
    let value: Double
}

/// Starts two services on the loopback address: a price that changes, and a rate whose every other response is a failure.
func demoServices() throws -> LoopbackServer {
    let prices = [100.0, 101, 101, 103].map { ServerResponse.json(Quote(symbol: "ACME", price: $0)) }
    let rates = [ServerResponse.json(Rate(currency: "EUR", value: 0.9)), .empty(503)]
    let server = LoopbackServer(
        .script("GET", "/price", Script(prices, then: .repeatsAll)),
        .script("GET", "/rate", Script(rates, then: .repeatsAll))
    )
    try server.start()
    return server
}
