internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// Connects sockets by libcurl, and then reads from and writes to them.
///
/// Its connections must not count against the limits of requests, so it is not the engine of a transport. The first connection starts the
/// thread, which stays.
///
/// Sound: all state but the message queue is confined to the thread. Events are delivered on the thread, but never from within a callback
/// of libcurl.
final class CurlSocketEngine: SocketEngine, CurlLoop, @unchecked Sendable {
    static let shared = CurlSocketEngine()
    /// The length of a pause, in nanoseconds; the system adds about as much.
    static let pauseTime: UInt64 = 50_000

    let messageQueue = MessageQueue()
    private(set) var multi: CurlMulti?
    /// The connections that libcurl is making, by handle, and the open ones, by socket.
    var connecting: [OpaquePointer: SocketLink] = [:]
    var open: [Int32: SocketLink] = [:]
    /// The connections with input to read before the thread sleeps.
    var readable: [SocketLink] = []
    /// Whether there is a thread. If the system had none, everything that begins fails on the caller's thread.
    private var hasThread = false
    /// The actions at the ends of pauses, with their times; the next one comes first.
    private var pauses: [(end: UInt64, action: @Sendable () -> Void)] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SocketLink.readSize, alignment: 16)

    deinit { buffer.deallocate() }
}

/// Calls from any thread.
extension CurlSocketEngine {
    func start(with message: EngineMessage) { start(with: message, threadName: "NetNodes.SocketEngine") }

    func pause(_ action: @escaping @Sendable () -> Void) {
        post(EngineMessage { [self] in pauses.append((MonotonicTime.now + Self.pauseTime, action)) })
    }
}

/// Work on the thread.
extension CurlSocketEngine {
    func work(isPossible: Bool) {
        hasThread = isPossible
        while true {
            handleMessages()
            endPauses()
            readInTurn()
            // Without descriptors the thread cannot sleep.
            if multi == nil, connecting.isEmpty, messageQueue.endWork() { return }
            sleep()
        }
    }

    private func endPauses() {
        guard !pauses.isEmpty else { return }
        let now = MonotonicTime.now
        let due = pauses.prefix { $0.end <= now }.map(\.action)
        pauses.removeFirst(due.count)
        for action in due { action() }
    }

    /// Reads each connection once, so that none starves the others.
    private func readInTurn() {
        let links = readable
        readable.removeAll(keepingCapacity: true)
        for link in links { readOnce(link) }
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

    func scheduleReading(_ link: SocketLink) { readable.append(link) }

    func watch(_ link: SocketLink, for interest: SocketSet.Interest) { multi?.sockets.watch(link.socket, for: interest) }

    /// Does nothing: events are delivered where they occur, which is never within libcurl.
    func deliverEvents() {}

    /// Returns the multi handle, which is created if there is none yet; returns `nil` if that fails.
    func prepare() -> CurlMulti? {
        // An open connection is watched as its own state requires.
        if multi == nil, hasThread { multi = CurlMulti(except: { [unowned self] in open[$0] != nil }) }
        return multi
    }
}

/// The life of a connection.
extension CurlSocketEngine {
    func connect(_ link: SocketLink) throws(TransportError) { try connect(link, established: nil) }

    /// Begins TLS: another handle of libcurl takes the connection over.
    func beginTLS(_ link: SocketLink) throws(TransportError) {
        let copy = fcntl(link.socket, F_DUPFD_CLOEXEC, 0)
        multi?.sockets.release(link.socket)
        detach(link)
        guard copy >= 0 else { throw .cannotConnect(url: link.endpoint.description, reason: "the system has no descriptor left") }
        try connect(link, established: copy)
    }

    /// - Parameter established: the descriptor of the connection, if only TLS is missing.
    private func connect(_ link: SocketLink, established: Int32?) throws(TransportError) {
        guard let multi = prepare(), let handle = CurlSocketHandle(multi, established: established) else {
            if let established { close(established) }
            throw .cannotConnect(url: link.endpoint.description, reason: CurlMulti.obstacle)
        }
        try handle.configure(for: link.endpoint)
        let code = curl_multi_add_handle(multi.handle, handle.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl rejected it", url: link.endpoint.description) }
        link.channel = handle
        connecting[handle.handle] = link
    }

    private func didConnect(_ link: SocketLink, _ code: CURLcode) {
        guard let handle = link.channel as? CurlSocketHandle else { return }
        guard code == CURLE_OK, let socket = handle.socket else {
            return end(link, .error(handle.error(code == CURLE_OK ? CURLE_COULDNT_CONNECT : code, at: link.endpoint)))
        }
        link.socket = socket
        open[socket] = link
        didConnect(link)
    }

    func detach(_ link: SocketLink) {
        guard let handle = link.channel as? CurlSocketHandle else { return }
        connecting[handle.handle] = nil
        open[link.socket] = nil
        if let multi { curl_multi_remove_handle(multi.handle, handle.handle) }
        (link.channel, link.socket) = (nil, -1)
    }

    func error(_ code: Int32, of link: SocketLink) -> TransportError {
        guard let handle = link.channel as? CurlSocketHandle else { return .noResponse }
        return handle.error(CURLcode(rawValue: CURLcode.RawValue(code)), at: link.endpoint)
    }
}
