import Foundation
public import Streams
public import WebSocketFrames

extension Node where Output == WebSocketConnection {
    /// Connects, sends the messages of one stream, and emits those of the server.
    ///
    /// ```swift
    /// WebSocketNode().messages(request, reconnecting: .exponential(initial: .seconds(1), maxAttempts: 10))
    /// ```
    ///
    /// - Parameters:
    ///   - input: as for the node.
    ///   - outgoing: subscribed to for each connection; its completion closes it. Messages of a hot stream between two connections are lost.
    ///   - policy: when to connect again after an error. Failures are counted from the last connection on, and so is its limit; an orderly
    ///     close completes. `nil` for never.
    ///   - scheduler: runs the delays.
    public func messages(
        _ input: Input, sending outgoing: Observable<WebSocketMessage> = .never(), reconnecting policy: RetryPolicy? = nil,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Observable<WebSocketMessage> {
        .deferred { [self] in
            let outage = SerialState((failures: 0, start: Duration.zero))
            let session = stream(input).do(onNext: { _ in outage.value.failures = 0 }).flatMap { connection in
                Observable.using {
                    CompositeDisposable([outgoing.subscribe(connection.sender)])
                } observableFactory: { _ in
                    connection.messages
                }
            }
            guard let policy else { return session }
            return session.retry { errors in
                errors.concatMap { error in
                    if outage.value.failures == 0 { outage.value.start = scheduler.now }
                    outage.value.failures += 1
                    let elapsed = scheduler.now - outage.value.start
                    guard let delay = policy.delay(after: error, failures: outage.value.failures, elapsed: elapsed) else { throw error }
                    return Observable<Int>.timer(delay, scheduler: scheduler)
                }
            }
        }
    }
}
