internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// Connects sockets by libcurl, and then reads and writes them.
///
/// Its connections must not count against the limits of requests, so it is not the engine of a transport. The thread is started by the first
/// connection, and stays.
///
/// Sound: all state but the message queue is confined to the thread. Events are delivered on the thread, but never from within a callback
/// of libcurl.
final class SocketEngine: CurlLoop, @unchecked Sendable {
    /// What the thread does next. Not generic: a closure of one object needs no memory then.
    struct Message: Sendable {
        let act: @Sendable (SocketEngine) -> Void
    }

    static let shared = SocketEngine()
    /// How much one read takes.
    static let readSize = 64 * 1024
    /// How much one write offers. TLS wants the same bytes again after it was blocked.
    static let writeSize = 256 * 1024
    /// How much one connection writes before others have their turn.
    static let turnSize = 1024 * 1024
    /// How long a pause is, in nanoseconds; the system adds about as much.
    static let pauseTime: UInt64 = 50_000

    let messageQueue = MessageQueue<Message>()
    private(set) var multi: CurlMulti?
    /// The connections that libcurl is making, by handle, and those that are open, by socket.
    var connecting: [OpaquePointer: SocketLink] = [:]
    var open: [Int32: SocketLink] = [:]
    /// Connections with input to read before the thread sleeps.
    var readable: [SocketLink] = []
    /// Whether there is a thread: if the system had none, what begins fails on that of the caller.
    private var hasThread = false
    /// What happens at the end of a pause, and when, the next first.
    private var pauses: [(end: UInt64, action: @Sendable () -> Void)] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)

    deinit { buffer.deallocate() }
}

/// Called from any thread.
extension SocketEngine {
    func start(_ link: SocketLink) {
        link.startLimits()
        start(with: Message { $0.begin(link) }, threadName: "NetNodes.SocketEngine")
    }

    /// Closes the connection; nothing more is delivered to its node.
    func cancel(_ link: SocketLink) { post(Message { $0.end(link, .completed) }) }
    /// Bytes or actions were added to what is to be written.
    func write(_ link: SocketLink) { post(Message { $0.writeOutput(link) }) }
    func subscribe(_ receiver: SocketReceiver, to link: SocketLink) { post(Message { $0.add(receiver, to: link) }) }
    func expire(_ limit: SocketLink.Limit, _ link: SocketLink) { post(Message { $0.expired(limit, link) }) }
    func fail(_ link: SocketLink, _ error: any Error) { post(Message { $0.end(link, .error(error)) }) }
    /// Fails the connection when everything has been written, or soon.
    func finish(_ link: SocketLink, with error: any Error) { post(Message { $0.finish(error, link) }) }
    /// Calls `action` on the thread after a pause in which other threads can act.
    func pause(_ action: @escaping @Sendable () -> Void) { post(Message { $0.pauses.append((Deadline.now + Self.pauseTime, action)) }) }
    /// The receiver has taken an element.
    func taken(by receiver: SocketReceiver, of link: SocketLink) { post(Message { $0.proceed(link) { receiver.didTake() } }) }
    /// The receiver's subscriber is no longer suspended.
    func resume(_ receiver: SocketReceiver, of link: SocketLink) { post(Message { $0.proceed(link) { receiver.didResume() } }) }
}

/// The thread.
extension SocketEngine {
    func work(isPossible: Bool) {
        hasThread = isPossible
        while true {
            handleMessages()
            endPauses()
            readOnce()
            // Without descriptors it cannot sleep.
            if multi == nil, connecting.isEmpty, messageQueue.endWork() { return }
            sleep()
        }
    }

    func handle(_ message: Message) {
        message.act(self)
    }

    private func endPauses() {
        guard !pauses.isEmpty else { return }
        let now = Deadline.now
        let due = pauses.prefix { $0.end <= now }.map(\.action)
        pauses.removeFirst(due.count)
        for action in due { action() }
    }

    /// Reads each connection once, so that none starves the others.
    private func readOnce() {
        let links = readable
        readable.removeAll(keepingCapacity: true)
        for link in links {
            link.isReadable = false
            if readInput(link) { makeReadable(link) } else { updateInterest(of: link) }
        }
    }

    private func sleep() {
        sleep(until: readable.isEmpty ? pauses.first?.end ?? .max : 0) { socket, interest in
            guard let link = open[socket] else { return false }
            if interest.contains(.write), link.isWaitingToWrite {
                link.isWaitingToWrite = false
                writeOutput(link)
            }
            if interest.contains(.read) { makeReadable(link) }
            updateInterest(of: link)
            return true
        }
    }

    func didFinish(_ easy: OpaquePointer, _ code: CURLcode) {
        if let link = connecting.removeValue(forKey: easy) { didConnect(link, code) }
    }

    /// They are delivered where they occur, which is never within libcurl.
    func deliverEvents() {}

    /// Returns the multi handle, which is created if there is none yet; `nil` if it cannot be.
    func prepare() -> CurlMulti? {
        // An open connection is watched as its own state requires.
        if multi == nil, hasThread { multi = CurlMulti { [unowned self] in open[$0] != nil } }
        return multi
    }
}
