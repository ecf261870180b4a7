import Foundation
import NetNodes

/// Something that the dashboard of the market learns.
enum MarketEvent: Sendable, Equatable {
    /// These quotes are new.
    case quotes([Quote])
    /// It is time to note the prices for the sparklines.
    case sample
    /// The service could not be asked.
    case problem(String)
}

/// A market-data service, through the node chain: each quote as it moves, by server-sent events, and all quotes when asked.
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

    /// Whether an answer is awaited.
    var isLoading: Observable<Bool> { indicator.isLoading.asObservable() }

    /// All there is to learn, while nothing is paused; a refresh comes through a pause.
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
    /// An error becomes an element: the dashboard says it and goes on.
    fileprivate func reportingProblems() -> Observable<MarketEvent> {
        `catch` { .just(.problem(ErrorWording.sentence($0))) }
    }
}
