package import CLibcurl
import Dispatch
import Foundation
import Schedulers
package import Sockets
import Streams

/// An engine that runs a multi handle of libcurl on a thread of its own, which sleeps until a socket, a deadline or a message wakes it.
///
/// It uses a thread and not a Dispatch queue: a Dispatch source needs three thread switches for each response, which cost more than the
/// request. All members except the message queue are confined to the thread.
package protocol CurlLoop: AnyObject, Sendable {
    var messageQueue: MessageQueue { get }
    /// The multi handle; `nil` before the thread needs it, and if it cannot be created.
    var multi: CurlMulti? { get }
    /// Runs until there is nothing to do.
    ///
    /// - Parameter isPossible: whether there is a thread for it; otherwise everything that begins must fail.
    func work(isPossible: Bool)
    func didFinish(_ easy: OpaquePointer, _ code: CURLcode)
    /// Delivers the events that were queued while libcurl was running, and never from within one of its callbacks.
    func deliverEvents()
}

extension CurlLoop {
    /// Posts a message that requires the thread, and starts the thread if it does not run. Thread-safe.
    package func start(with message: EngineMessage, threadName: String) {
        guard messageQueue.post(message, startsWork: true) else { return }
        if SystemThread.start(named: threadName, { self.work(isPossible: true) }) != 0 { work(isPossible: false) }
    }

    /// Posts a message that has no effect if the thread does not run. Thread-safe.
    package func post(_ message: EngineMessage) {
        _ = messageQueue.post(message, startsWork: false)
    }

    /// Delivered events lead to new messages; the sockets are polled again after some rounds.
    package func handleMessages() {
        processPending()
        for _ in 0..<16 {
            guard messageQueue.handleAll() else { return }
            processPending()
        }
    }

    /// Processes the pending work of libcurl: finished transfers, events to deliver, due timeouts. libcurl may set new timeouts at once,
    /// again and again; sockets, messages and deadlines do not wait for them.
    private func processPending() {
        var calls = 0
        repeat {
            multi?.readResults { didFinish($0, $1) }
            deliverEvents()
            calls += 1
        } while calls < 16 && multi?.callIfDue() == true
    }

    /// Sleeps until the deadline at the latest.
    ///
    /// - Parameter handles: returns whether the engine has handled a ready socket itself, in place of libcurl.
    package func sleep(until deadline: UInt64, except handles: (_ socket: Int32, SocketSet.Interest) -> Bool = { _, _ in false }) {
        guard let multi else { return }
        let isIdle = messageQueue.beginSleep(wokenBy: multi.sockets.waker)
        multi.sleep(until: isIdle ? deadline : 0, onAwake: messageQueue.wakeUp, except: handles)
    }
}

/// Instants of `MonotonicTime`; `UInt64.max` is never reached.
extension UInt64 {
    /// Returns this instant plus a duration, clamped to `.max`.
    package func advanced(by duration: Duration) -> UInt64 {
        let nanoseconds = UInt64(duration.wholeMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        let sum = addingReportingOverflow(nanoseconds.partialValue)
        return nanoseconds.overflow || sum.overflow ? .max - 1 : sum.partialValue
    }
}

/// A message that tells the thread of an engine what to do next. It is not generic, so a closure over one object needs no memory.
package struct EngineMessage: Sendable {
    let act: @Sendable () -> Void

    package init(_ act: @escaping @Sendable () -> Void) { self.act = act }
}

/// A queue of messages from any thread to one consumer thread, which sleeps while it is empty.
///
/// While the consumer is awake, a message is only appended; the consumer checks the queue before it sleeps. So consecutive requests cause
/// no wake-ups except for the responses.
///
/// Sound: `batch` is confined to the consumer, the rest is atomic or under the lock (law 3).
package final class MessageQueue: @unchecked Sendable {
    /// The state of the consumer.
    private enum Worker { case none, awake, asleep(Waker) }

    private struct State {
        var messages: [EngineMessage] = []
        var worker = Worker.none
    }

    private let state = Lock(State())
    /// The messages that are being handled; its capacity is reused.
    @exclusivity(unchecked) private var batch: [EngineMessage] = []

    package init() {}

    /// Appends a message, and returns whether the caller has to start the consumer thread.
    ///
    /// - Parameter startsWork: whether the message requires a thread; otherwise it is dropped if none is running.
    package func post(_ message: EngineMessage, startsWork: Bool) -> Bool {
        let (starts, waker) = state.withLock { state -> (Bool, Waker?) in
            let worker = state.worker
            if case .none = worker, !startsWork { return (false, nil) }
            state.messages.append(message)
            state.worker = .awake
            return switch worker {
            case .none: (true, nil)
            case .awake: (false, nil)
            case .asleep(let waker): (false, waker)
            }
        }
        // Outside the lock: the consumer that is woken would wait for it.
        waker?.wake()
        return starts
    }

    /// Marks the consumer as awake, for any reason.
    package func wakeUp() {
        state.withLock { $0.worker = .awake }
    }

    /// Acts on the queued messages in order, and returns whether there were any. Called by the consumer, one call at a time.
    package func handleAll() -> Bool {
        state.withLock { swap(&$0.messages, &batch) }
        guard !batch.isEmpty else { return false }
        for index in batch.indices { batch[index].act() }
        batch.removeAll(keepingCapacity: true)
        return true
    }

    /// Returns whether the queue is empty; from then on a message wakes the thread.
    package func beginSleep(wokenBy waker: Waker) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.worker = .asleep(waker)
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
