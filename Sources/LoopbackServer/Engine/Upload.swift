import Foundation
import Streams

/// The body of a request whose route consumes it while it arrives.
///
/// Nothing is taken from the connection without a subscriber, or while it is suspended; then the connection is read no further.
///
/// `@unchecked Sendable`: all state is confined to the server's queue.
final class Upload: @unchecked Sendable {
    private struct Subscriber {
        let observer: AnyObserver<Data>
        let lifetime: Lifetime
    }

    private enum Phase {
        case arriving
        case ended(Event<Data>)
    }

    private let queue: ServerQueue
    /// Continues to take bytes.
    private let resume: @Sendable () -> Void
    private var phase = Phase.arriving
    private var subscriber: Subscriber?
    private var isParked = false
    private var isEmitting = false

    /// - Parameter resume: called on the queue.
    init(_ queue: ServerQueue, resume: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.resume = resume
    }

    /// Whether everything has been taken, or the rest will not arrive.
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// Whether the client is expected to send more; after a suspension not before `resume` was called.
    var awaitsBytes: Bool { !hasEnded && !isParked && subscriber?.lifetime.mayEmit ?? false }

    /// The bytes, for one subscriber at a time: another one continues where the last was, and that receives nothing more.
    var bytes: Observable<Data> {
        Observable { [self] downstream, lifetime in
            let subscriber = Subscriber(observer: downstream, lifetime: lifetime)
            queue.run { [self] in begin(subscriber) }
            lifetime.add { [self] in queue.run { [self] in end(subscriber) } }
        }
    }

    private func begin(_ next: Subscriber) {
        if case .ended(let event) = phase { return next.observer.on(event) }
        subscriber = next
        isParked = false
        resume()
    }

    private func end(_ last: Subscriber) {
        if subscriber?.lifetime === last.lifetime { subscriber = nil }
    }

    /// Passes on what has arrived, until the subscriber is suspended.
    func take(from parser: inout RequestParser) throws(RequestFailure) {
        while awaitsBytes {
            switch parser.next() {
            case .bytes(let bytes): emit(Data(bytes))
            case .bodyEnd: return finish(with: .completed)
            case .failed(let failure): throw failure
            case .needsInput, .expectsContinue, .request, .upload: return
            }
        }
        if !hasEnded { park() }
    }

    private func emit(_ bytes: Data) {
        isEmitting = true
        subscriber?.observer.onNext(bytes)
        isEmitting = false
        // The subscriber itself may have closed the connection.
        if case .ended(let event) = phase { subscriber.take()?.observer.on(event) }
    }

    private func park() {
        guard !isParked, let lifetime = subscriber?.lifetime else { return }
        isParked = true
        ParkedLoop.run(in: lifetime) { [self] in
            // Never at once: the connection may be inside `take`.
            queue.queue.async { [self] in
                isParked = false
                resume()
            }
            return false
        }
    }

    func fail(_ reason: String) {
        finish(with: .error(InterruptedUpload(reason: reason)))
    }

    private func finish(with event: Event<Data>) {
        guard !hasEnded else { return }
        phase = .ended(event)
        if !isEmitting { subscriber.take()?.observer.on(event) }
    }
}

extension Upload: Equatable {
    static func == (left: Upload, right: Upload) -> Bool { left === right }
}

/// The error of the stream of a body that does not arrive entirely.
public struct InterruptedUpload: Error, Sendable, Equatable, LocalizedError {
    /// What was wrong.
    public let reason: String

    /// The error as a sentence.
    public var errorDescription: String? { "The upload was interrupted: \(reason)" }
}
