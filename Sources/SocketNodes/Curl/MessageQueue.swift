import Foundation
internal import Sockets
import Streams
import Synchronization

/// A queue of messages from any thread to one consumer thread, which sleeps while it is empty.
///
/// While the consumer is awake, a message is only appended; the consumer checks the queue before it sleeps. So consecutive requests cause
/// no wake-ups except for the responses.
///
/// Sound: `batch` is confined to the consumer, the rest is atomic or under the lock (law 3).
package final class MessageQueue<Message: Sendable>: @unchecked Sendable {
    /// The state of the consumer.
    private enum Worker { case none, awake, asleep }

    private struct State {
        var messages: [Message] = []
        var worker = Worker.none
        var inlet: Int32 = -1
    }

    private let state = Lock(State())
    /// The number of threads that are about to write to the inlet. They write outside the lock: the consumer that they wake would wait for
    /// it.
    private let wakers = Atomic(0)
    /// The messages that are being handled; its capacity is reused.
    @exclusivity(unchecked) private var batch: [Message] = []

    package init() {}

    /// Appends a message, and returns whether the caller has to start the consumer thread.
    ///
    /// - Parameter startsWork: whether the message requires a thread; otherwise it is dropped if none is running.
    package func post(_ message: Message, startsWork: Bool) -> Bool {
        let (starts, inlet) = state.withLock { state -> (Bool, Int32?) in
            if state.worker == .none, !startsWork { return (false, nil) }
            state.messages.append(message)
            defer { state.worker = .awake }
            guard state.worker == .asleep else { return (state.worker == .none, nil) }
            wakers.add(1, ordering: .relaxed)
            return (false, state.inlet)
        }
        guard let inlet else { return starts }
        SocketSet.Waker.wake(by: inlet)
        wakers.subtract(1, ordering: .releasing)
        return false
    }

    /// Waits until no thread writes to the inlet, which may then be closed. Called by the consumer while it is awake.
    package func awaitWakers() {
        while wakers.load(ordering: .acquiring) > 0 { sched_yield() }
    }

    /// Marks the consumer as awake, for any reason.
    package func wakeUp() {
        state.withLock { $0.worker = .awake }
    }

    /// Handles the queued messages in order, and returns whether there were any. Called by the consumer, one call at a time.
    package func handleAll(_ action: (Message) -> Void) -> Bool {
        state.withLock { swap(&$0.messages, &batch) }
        guard !batch.isEmpty else { return false }
        for index in batch.indices { action(batch[index]) }
        batch.removeAll(keepingCapacity: true)
        return true
    }

    /// Returns whether the queue is empty; from then on a message wakes the thread through `inlet`.
    package func beginSleep(wokenBy inlet: Int32) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.worker = .asleep
            state.inlet = inlet
            return true
        }
    }

    /// Returns whether the queue is empty, so that the thread may end; the next message starts another thread.
    package func endWork() -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.worker = .none
            return true
        }
    }
}
