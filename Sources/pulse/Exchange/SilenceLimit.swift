import Foundation
import NetNodes

/// The longest time without an event of a transfer. Time in which the transfer is suspended, because the output is not taken, does not
/// count.
struct SilenceLimit: Sendable {
    let duration: Duration
    /// Whether event streams, which are silent while nothing happens, have no limit once they have begun.
    let exemptsEventStreams: Bool
    let url: URL
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Fails with a timeout after too long a silence.
    func limiting(_ transfer: Observable<TransferEvent>) -> Observable<TransferEvent> {
        .deferred {
            // Completes when there is no limit any more.
            let activity = PublishSubject<Void>()
            let events = transfer.do(
                onNext: { event in
                    if exemptsEventStreams, case .head(let head) = event, head.isEventStream { return activity.onCompleted() }
                    activity.onNext(())
                },
                onCompleted: { activity.onCompleted() })
            let error = TechnicalError.timeout("\(TransportError.timedOut(.idle, after: duration, url: redacted(url)))")
            let silence = activity.timeout(duration, other: Observable.error(error), scheduler: scheduler)
                .compactMap { _ in TransferEvent?.none }
            // The order matters, because a transfer can end while it is subscribed to.
            return .merge(silence, events)
        }
    }
}

extension HTTPResponseHead {
    var isEventStream: Bool { mediaType == "text/event-stream" || JSONLines.types.contains(mediaType) }
}

/// Bodies with one JSON value on each line.
enum JSONLines {
    static let types: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines",
        "application/json-seq", "application/stream+json", "application/x-json-stream",
    ]
}
