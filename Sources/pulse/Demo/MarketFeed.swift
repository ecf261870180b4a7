import Foundation
import NetNodes

/// An update of the dashboard of the market.
enum MarketEvent: Sendable, Equatable {
    /// New quotes.
    case quotes([Quote])
    /// Time to sample the prices for the sparklines.
    case sample
    /// The request failed.
    case problem(String)
}

/// A client of the market-data service, built from nodes: each quote as it moves by server-sent events, and all quotes on request.
struct MarketFeed: Sendable {
    private let moves: any Node<Void, Quote>
    private let snapshot: any Node<Void, [Quote]>
    private let indicator = LoadIndicator()
    private let scheduler: any Scheduler

    init(service: URL, scheduler: any Scheduler) {
        moves = URLChain.ofPulse.route(.get, service.appending(path: "quotes/stream")).events(Quote.self)
        snapshot = URLChain.ofPulse.route(.get, service.appending(path: "quotes"))
            .trackActivity(indicator)
            .timeout(.seconds(5))
            .output([Quote].self)
        self.scheduler = scheduler
    }

    /// Whether a request is in progress.
    var isLoading: Observable<Bool> { indicator.isLoading.asObservable() }

    /// Emits all updates while not paused; a refresh is emitted even while paused.
    func events(_ state: Observable<DashboardState>) -> Observable<MarketEvent> {
        let samples = Observable<Int>.interval(Self.sampleInterval, scheduler: scheduler).map { _ in MarketEvent.sample }
        let live = Observable.merge(moves.stream().map { MarketEvent.quotes([$0]) }, samples)
        let refresh = AnyNode { [snapshot] in snapshot.stream().map(MarketEvent.quotes).reportingProblems() }
        let refreshed = state.refreshes.through(refresh, .first)
        return .merge(state.pausing(live.reportingProblems()), refreshed)
    }

    static let sampleInterval = Duration.milliseconds(250)
}

extension Observable where Element == MarketEvent {
    /// Replaces an error by an element, so that the dashboard shows it and continues.
    fileprivate func reportingProblems() -> Observable<MarketEvent> {
        `catch` { .just(.problem(ErrorWording.sentence($0))) }
    }
}

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
