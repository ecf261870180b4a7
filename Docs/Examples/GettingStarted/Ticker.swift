import Foundation
import Streams

/// The price of a share in another currency, as a stream.
struct Ticker: Sendable {
    /// Requests the price when it is subscribed to.
    var quote: Observable<Quote>
    /// Requests the rate when it is subscribed to.
    var rate: Observable<Rate>
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Emits a line whenever the price in that currency changes.
    var lines: Observable<String> {
        Observable.combineLatest(polled(quote, every: .seconds(1)), polled(rate, every: .seconds(5))) { quote, rate in
            String(format: "%@ %.2f %@", quote.symbol, quote.price * rate.value, rate.currency)
        }
        .distinctUntilChanged()
    }

    /// Sends the request now and once in each period. A failure is retried twice and then skipped: the next period tries again.
    private func polled<Answer: Sendable>(_ request: Observable<Answer>, every period: Duration) -> Observable<Answer> {
        let policy = RetryPolicy.exponential(initial: .milliseconds(200), jitter: 0, maxAttempts: 3)
        return Observable<Int>.timer(.zero, period: period, scheduler: scheduler).flatMapFirst { _ in
            request.retry(policy, scheduler: scheduler).catch { _ in .empty() }
        }
    }
}
