import Foundation
import Streams

/// Messages from any thread to the one that works for them, which sleeps while there are none.
///
/// Whoever posts while that thread is awake leaves the message only; it is looked for before the thread sleeps. So requests that follow one
/// another cost no wake-up but the answer's.
final class Mailbox<Message: Sendable>: Sendable {
    /// Whether somebody works for the messages.
    private enum Worker { case none, awake, asleep }

    private struct State {
        var messages: [Message] = []
        var worker = Worker.none
        var inlet: Int32 = -1
    }

    private let state = Lock(State())

    /// Leaves a message, and says whether the caller has to start a thread that works for it.
    ///
    /// - Parameter startsWork: whether the message is worth a thread; one that is not is dropped where none works.
    func post(_ message: Message, startsWork: Bool) -> Bool {
        state.withLock { state in
            if state.worker == .none, !startsWork { return false }
            state.messages.append(message)
            defer { state.worker = .awake }
            guard state.worker == .asleep else { return state.worker == .none }
            var byte: UInt8 = 1
            write(state.inlet, &byte, 1)
            return false
        }
    }

    /// The thread is awake, whatever has woken it.
    func wakeUp() {
        state.withLock { $0.worker = .awake }
    }

    /// Puts the messages since the last time, in their order, into `batch`, which is empty; its room is used for the next ones.
    func take(into batch: inout [Message]) {
        state.withLock { swap(&$0.messages, &batch) }
    }

    /// Whether nothing is there to do; from now on a message wakes the thread by a byte into `inlet`.
    func goToSleep(wokenBy inlet: Int32) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.worker = .asleep
            state.inlet = inlet
            return true
        }
    }

    /// Whether nothing is there to do, so that the thread may end; the next message starts another.
    func endWork() -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.worker = .none
            return true
        }
    }
}
