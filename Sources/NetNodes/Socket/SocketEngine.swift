internal import CLibcurl
import Foundation
internal import SocketPolling
import Streams

/// Connects sockets through a multi handle of libcurl, and then reads and writes them, on a thread of its own that sleeps until a socket, a
/// deadline of libcurl or a message wakes it.
///
/// Its connections must not count against the limits of requests, so it is not the engine of a transport. The thread is started by the first
/// connection, and stays.
///
/// Sound: all state but the message queue is confined to the thread. Events are delivered on the thread, but never from within a callback
/// of libcurl.
final class SocketEngine: @unchecked Sendable {
    private enum Message: Sendable {
        case start(SocketLink)
        case cancel(SocketLink)
        case write(SocketLink)
        case subscribe(SocketReceiver, SocketLink)
        case resume(SocketLink)
        case taken(SocketReceiver, SocketLink)
        case expire(SocketLink.Limit, SocketLink)
        case fail(any Error, SocketLink)
        case finish(any Error, SocketLink)
    }

    static let shared = SocketEngine()
    /// How much one read takes.
    static let readSize = 64 * 1024
    /// How much one write offers. TLS wants the same bytes again after it was blocked.
    static let writeSize = 256 * 1024

    private let messageQueue = MessageQueue<Message>()
    private var messages: [Message] = []
    private(set) var multi: OpaquePointer?
    private(set) var sockets: CurlSockets?
    private var now = Deadline.now
    private var curlDeadline: UInt64?
    /// The connections that libcurl is making, by handle, and those that are open, by socket.
    var connecting: [OpaquePointer: SocketLink] = [:]
    var open: [Int32: SocketLink] = [:]
    /// Connections with input to read before the thread sleeps.
    var readable: [SocketLink] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)

    deinit { buffer.deallocate() }

    /// The context of libcurl's callbacks.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Called from any thread.
extension SocketEngine {
    func start(_ link: SocketLink) {
        link.startLimits()
        guard messageQueue.post(.start(link), startsWork: true) else { return }
        let thread = Thread { self.work() }
        thread.name = "NetNodes.SocketEngine"
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// Closes the connection; nothing more is delivered to its node.
    func cancel(_ link: SocketLink) { post(.cancel(link)) }
    /// Bytes or actions were added to what is to be written.
    func write(_ link: SocketLink) { post(.write(link)) }
    func subscribe(_ receiver: SocketReceiver, to link: SocketLink) { post(.subscribe(receiver, link)) }
    func resume(_ link: SocketLink) { post(.resume(link)) }
    func expire(_ limit: SocketLink.Limit, _ link: SocketLink) { post(.expire(limit, link)) }
    func fail(_ link: SocketLink, _ error: any Error) { post(.fail(error, link)) }
    /// Fails the connection when everything has been written, or soon.
    func finish(_ link: SocketLink, with error: any Error) { post(.finish(error, link)) }
    /// The receiver has taken an element.
    func taken(by receiver: SocketReceiver, of link: SocketLink) { post(.taken(receiver, link)) }

    private func post(_ message: Message) {
        _ = messageQueue.post(message, startsWork: false)
    }
}

/// The thread.
extension SocketEngine {
    private func work() {
        while true {
            handleMessages()
            readOnce()
            // Without descriptors it cannot sleep.
            if sockets == nil, connecting.isEmpty, messageQueue.endWork() { return }
            sleep()
        }
    }

    private func handleMessages() {
        processPending()
        for _ in 0..<16 {
            messageQueue.take(into: &messages)
            guard !messages.isEmpty else { return }
            for index in messages.indices { handle(messages[index]) }
            messages.removeAll(keepingCapacity: true)
            processPending()
        }
    }

    private func handle(_ message: Message) {
        switch message {
        case .start(let link): begin(link)
        case .cancel(let link): end(link, .completed)
        case .write(let link): writeOutput(link)
        case .subscribe(let receiver, let link): add(receiver, to: link)
        case .resume(let link): makeReadable(link)
        case .taken(let receiver, let link):
            receiver.didTake()
            makeReadable(link)
        case .expire(let limit, let link): expired(limit, link)
        case .fail(let error, let link): end(link, .error(error))
        case .finish(let error, let link): finish(error, link)
        }
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
        guard let sockets else { return }
        let sleeps = messageQueue.beginSleep(wokenBy: sockets.inlet) && readable.isEmpty
        sockets.wait(until: sleeps ? curlDeadline ?? .max : 0, from: now, onAwake: wakeUp) { socket, interest in
            guard let link = open[socket] else {
                return call(socket, (interest.contains(.read) ? CURL_CSELECT_IN : 0) | (interest.contains(.write) ? CURL_CSELECT_OUT : 0))
            }
            if interest.contains(.write), link.isWaitingToWrite {
                link.isWaitingToWrite = false
                writeOutput(link)
            }
            if interest.contains(.read) { makeReadable(link) }
            updateInterest(of: link)
        }
    }

    private func wakeUp() {
        messageQueue.wakeUp()
        now = Deadline.now
    }
}

/// libcurl.
extension SocketEngine {
    func prepare() {
        guard multi == nil else { return }
        now = Deadline.now
        if sockets == nil { sockets = CurlSockets() }
        multi = sockets != nil && globalInitialization == CURLE_OK ? curl_multi_init() : nil
        guard let multi else { return }
        clibcurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        clibcurl_multi_set_socket(multi) { _, socket, what, context, _ in
            socketEngine(context)?.wants(Int(what), of: socket)
            return 0
        }
        clibcurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        clibcurl_multi_set_timer(multi) { _, milliseconds, context in
            guard let engine = socketEngine(context) else { return 0 }
            engine.curlDeadline = milliseconds < 0 ? nil : engine.now.advanced(by: .milliseconds(milliseconds))
            return 0
        }
    }

    private func wants(_ what: Int, of socket: Int32) {
        // An open connection is watched as its own state requires.
        guard open[socket] == nil else { return }
        switch what {
        case CURL_POLL_IN: sockets?.watch(socket, for: .read)
        case CURL_POLL_OUT: sockets?.watch(socket, for: .write)
        case CURL_POLL_INOUT: sockets?.watch(socket, for: .readAndWrite)
        default: sockets?.watch(socket, for: SocketSet.Interest(rawValue: 0))
        }
    }

    /// Closes a connection's socket for libcurl.
    func closeSocket(_ socket: Int32) -> Int32 {
        sockets?.forget(socket)
        return close(socket)
    }

    private func call(_ socket: Int32, _ events: Int) {
        guard let multi else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, Int32(events), &running)
    }

    /// Processes what libcurl has pending: established and failed connections, due timeouts.
    private func processPending() {
        while true {
            var left: Int32 = 0
            while let multi, let message = curl_multi_info_read(multi, &left)?.pointee {
                guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
                if let link = connecting.removeValue(forKey: handle) { didConnect(link, message.data.result) }
            }
            guard let deadline = curlDeadline, deadline <= now else { return }
            curlDeadline = nil
            call(Int32(CURL_SOCKET_TIMEOUT), 0)
        }
    }
}

func socketEngine(_ context: UnsafeMutableRawPointer?) -> SocketEngine? {
    context.map { Unmanaged<SocketEngine>.fromOpaque($0).takeUnretainedValue() }
}
