package import CLibcurl
import Dispatch
import Foundation
package import Sockets
import Streams

/// An engine that runs a multi handle of libcurl on a thread of its own, which sleeps until a socket, a deadline or a message wakes it.
///
/// It uses a thread and not a Dispatch queue: a Dispatch source needs three thread switches for each response, which cost more than the
/// request. All members except the message queue are confined to the thread.
package protocol CurlLoop: AnyObject, Sendable {
    associatedtype Message: Sendable

    var messageQueue: MessageQueue<Message> { get }
    /// The multi handle; `nil` before the thread needs it, and if it cannot be created.
    var multi: CurlMulti? { get }
    /// Runs until there is nothing to do.
    ///
    /// - Parameter isPossible: whether there is a thread for it; otherwise everything that begins must fail.
    func work(isPossible: Bool)
    func handle(_ message: Message)
    func didFinish(_ easy: OpaquePointer, _ code: CURLcode)
    /// Delivers the events that were queued while libcurl was running, and never from within one of its callbacks.
    func deliverEvents()
}

extension CurlLoop {
    /// Posts a message that requires the thread, and starts the thread if it does not run. Thread-safe.
    package func start(with message: Message, threadName: String) {
        guard messageQueue.post(message, startsWork: true) else { return }
        if SystemThread.start(named: threadName, { self.work(isPossible: true) }) != 0 { work(isPossible: false) }
    }

    /// Posts a message that has no effect if the thread does not run. Thread-safe.
    package func post(_ message: Message) {
        _ = messageQueue.post(message, startsWork: false)
    }

    /// Delivered events lead to new messages; the sockets are polled again after some rounds.
    package func handleMessages() {
        processPending()
        for _ in 0..<16 {
            guard messageQueue.handleAll(handle) else { return }
            processPending()
        }
    }

    /// Processes the pending work of libcurl: finished transfers, events to deliver, due timeouts. libcurl may set new timeouts at once,
    /// again and again; sockets, messages and deadlines do not wait for them.
    private func processPending() {
        var calls = 0
        repeat {
            multi?.readResults(didFinish)
            deliverEvents()
            calls += 1
        } while calls < 16 && multi?.callIfDue() == true
    }

    /// Sleeps until the deadline at the latest.
    ///
    /// - Parameter handles: returns whether the engine has handled a ready socket itself, in place of libcurl.
    package func sleep(until deadline: UInt64, except handles: (_ socket: Int32, SocketSet.Interest) -> Bool = { _, _ in false }) {
        guard let multi else { return }
        let isIdle = messageQueue.beginSleep(wokenBy: multi.sockets.inlet)
        multi.sleep(until: isIdle ? deadline : 0, onAwake: messageQueue.wakeUp, except: handles)
    }
}

/// Instants in nanoseconds of a monotonic clock; `UInt64.max` is never reached.
package enum Deadline {
    package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension UInt64 {
    /// Returns this instant plus a duration, clamped to `.max`.
    package func advanced(by duration: Duration) -> UInt64 {
        let nanoseconds = UInt64(duration.wholeMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        let sum = addingReportingOverflow(nanoseconds.partialValue)
        return nanoseconds.overflow || sum.overflow ? .max - 1 : sum.partialValue
    }
}
