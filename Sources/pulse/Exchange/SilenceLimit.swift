import Foundation
import NetNodes

/// The longest time without an event of a transfer. What is not read because the output is not taken does not count.
struct SilenceLimit: Sendable {
    let duration: Duration
    /// Whether event streams, which are silent as long as nothing happens, have no limit once they have begun.
    let exemptsEventStreams: Bool
    let url: URL
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Fails with a timeout after too long a silence.
    func limiting(_ transfer: Observable<TransferEvent>, pausedWhile isPaused: BehaviorRelay<Bool>) -> Observable<TransferEvent> {
        .deferred {
            let activity = PublishSubject<Void>()
            let isOver = PublishSubject<Void>()
            let isUnlimited = Lock(false)
            let events = transfer.do(
                onNext: { event in
                    if exemptsEventStreams, case .head(let head) = event, head.isEventStream { isUnlimited.withLock { $0 = true } }
                    activity.onNext(())
                },
                onCompleted: { isOver.onNext(()) })
            let silences = Observable.merge(activity.startWith(()), isPaused.asObservable().map { _ in })
                .debounce(duration, scheduler: scheduler)
                .filter { !isPaused.value && !isUnlimited.withLock(\.self) }
                .map { _ -> TransferEvent in
                    throw TechnicalError.timeout("\(TransportError.timedOut(.idle, after: duration, url: redacted(url)))")
                }
                .take(until: isOver)
            // In this order, because a transfer can end while it is subscribed to.
            return .merge(silences, events)
        }
    }
}

extension HTTPResponseHead {
    /// The media type, in lower case and without parameters.
    var mediaType: String {
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    var isEventStream: Bool { mediaType == "text/event-stream" || JSONLines.types.contains(mediaType) }
}

/// Bodies with one JSON value a line.
enum JSONLines {
    static let types: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines",
        "application/json-seq", "application/stream+json", "application/x-json-stream",
    ]
}
