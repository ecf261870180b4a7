import Foundation
import Streams
import StreamsTesting
import TestSupport

/// A subscriber of what a client sends, which suspends it and keeps what it receives.
final class SuspendingReader<Element: Sendable>: Sendable {
    let gate = Gate()
    private let events = ReplaySubject<Element>.createUnbounded()
    private let received = Lock<[Element]>([])

    /// - Parameter suspends: whether it suspends behind an element.
    func read(_ source: Observable<Element>, suspendingAt suspends: @escaping @Sendable () -> Bool) {
        source.subscribe(in: gate) { [self] event in
            if let element = event.element {
                received.withLock { $0.append(element) }
                if suspends() { gate.suspend() }
            }
            events.on(event)
        }
    }

    /// Suspends behind the first element.
    func readFirst(of source: Observable<Element>) {
        let isFirst = Lock(true)
        read(source) {
            isFirst.withLock { isFirst in
                defer { isFirst = false }; return isFirst
            }
        }
    }

    /// Suspends behind each element, and resumes on another thread.
    func readSlowly(_ source: Observable<Element>) {
        read(source) { [self] in
            gate.suspend()
            Thread.detachNewThread { self.resume() }
            return false
        }
    }

    var elements: [Element] { received.withLock { $0 } }

    func awaitFirst() throws { try events.take(1).ended().get() }

    /// Waits until everything has arrived.
    func all() throws -> [Element] { try events.ended().get() }

    var failure: (any Error)? { events.ended().error }

    func resume() { gate.resume().perform() }

    deinit { gate.dispose() }
}

extension SuspendingReader<Data> {
    var data: Data { elements.reduce(into: Data(), +=) }
}

/// Lets a client send while the test continues: it uses the socket in the other direction only.
func inBackground(_ client: WireClient, _ send: @escaping @Sendable (WireClient) -> Void) {
    nonisolated(unsafe) let client = client
    Thread.detachNewThread { send(client) }
}
