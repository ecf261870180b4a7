/// The price of a company's stock, as reported by the market-data service.
struct Quote: Codable, Sendable, Equatable {
    let symbol: String
    let name: String
    let price: Double
    let open: Double
    let high: Double
    let low: Double
    let changePercent: Double
    let volume: Int
}
