import Foundation
import NetNodes
import TerminalViews

let services = try demoServices()
let api = URLChain().timeout(.seconds(3))
let ticker = Ticker(
    quote: api.route(.get, "\(services.baseURL)/price").output(Quote.self).stream(),
    rate: api.route(.get, "\(services.baseURL)/rate").output(Rate.self).stream())

if let terminal = Terminal() {
    exit(show(ticker, on: terminal))
}
for try await line in ticker.lines.take(3).values {
    print(line)
}
