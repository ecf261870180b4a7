import Foundation
import NetNodes

/// The quotes of a market-data service, asked for again and again through the node chain.
struct MarketFeed: Sendable {
    private let quotes: any Node<Void, [Quote]>
    private let indicator = LoadIndicator()

    init(service: URL) {
        quotes = URLChain(transport: CurlTransport.shared)
            .route(.get, service.appending(path: "quotes"))
            .indicating(indicator)
            .output([Quote].self)
    }

    var isLoading: Observable<Bool> { indicator.isLoading }

    /// An answer for each tick; a tick that comes while an answer is on its way is left out. Failures are elements too.
    func answers(at ticks: Observable<Void>) -> Observable<Result<[Quote], any Error>> {
        ticks.flatMapFirst { [quotes] in
            quotes.stream().map { .success($0) }.catch { .just(.failure($0)) }
        }
    }

    static let interval = Duration.milliseconds(250)
}
