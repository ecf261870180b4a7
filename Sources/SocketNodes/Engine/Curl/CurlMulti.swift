package import CLibcurl
import Foundation
package import Sockets

/// A multi handle of libcurl with its sockets and its timeout. Confined to the thread of the engine that runs it.
package final class CurlMulti {
    package let handle: OpaquePointer
    package let sockets: CurlSockets
    /// The time at which the thread woke up or user code last ran: reading the clock for each line of a head would cost more than parsing
    /// it.
    package var now: UInt64 {
        get { currentTime }
        set { currentTime = newValue }
    }
    /// Accesses need no exclusivity check, since callers see none of this: only this module can leave it out.
    @exclusivity(unchecked) private var currentTime = MonotonicTime.now
    /// The time at which libcurl wants to be called without socket activity.
    @exclusivity(unchecked) private var deadline: UInt64?
    private let isForeign: (Int32) -> Bool
    private let didClose: (Int32) -> Void
    /// Called when transfers have ended, before libcurl is called again, with the number of those that still run.
    package var didEnd: ((_ multi: CurlMulti, _ running: Int) -> Void)?
    private var running: Int32 = 0
    private let calls: WatchedCalls?
    private var isWatched = false
    /// The local port of a connection that was shut down because it kept libcurl busy, until the results of its transfers are read.
    package private(set) var endedPort: UInt16?

    /// Creates a handle; returns `nil` if the process has no file descriptor or memory left.
    ///
    /// - Parameters:
    ///   - isForeign: returns whether the engine watches a socket itself, and not as libcurl requests.
    ///   - watch: ends connections that keep libcurl busy, if the engine asks for it.
    ///   - didClose: called with each socket that is about to be closed.
    package init?(
        except isForeign: @escaping (_ socket: Int32) -> Bool = { _ in false }, watchedBy watch: CallWatch? = nil,
        didClose: @escaping (_ socket: Int32) -> Void = { _ in }
    ) {
        guard clibcurl_global_init() == CURLE_OK, let sockets = CurlSockets(), let handle = curl_multi_init() else { return nil }
        self.handle = handle
        self.sockets = sockets
        self.isForeign = isForeign
        self.didClose = didClose
        calls = watch.map(WatchedCalls.init)
        installCallbacks()
    }

    deinit {
        curl_multi_cleanup(handle)
        if isWatched { calls?.end() }
    }

    /// The reason why a handle could not be created.
    package static var obstacle: String {
        clibcurl_global_init() == CURLE_OK ? "the system has no descriptor, thread or memory left" : "libcurl could not be loaded"
    }

    /// The context of the callbacks of libcurl: this object is retained until the handles that use it are freed.
    package var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func installCallbacks() {
        clibcurl_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, context)
        clibcurl_multi_set_socket(handle) { _, socket, what, context, _ in
            withMulti(context) { $0.watch(socket, as: Int(what)) }
            return 0
        }
        clibcurl_multi_set_pointer(handle, CURLMOPT_TIMERDATA, context)
        clibcurl_multi_set_timer(handle) { _, milliseconds, context in
            withMulti(context) { $0.deadline = milliseconds < 0 ? nil : $0.now.advanced(by: .milliseconds(milliseconds)) }
            return 0
        }
    }

    /// Makes an easy handle close the sockets of its connections here, because a connection outlives the transfer for which it was made.
    package func installClosing(in easy: OpaquePointer) {
        clibcurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, context)
        clibcurl_set_close_socket(easy) { context, socket in withMulti(context) { $0.closeSocket(socket) } ?? 0 }
    }

    private func watch(_ socket: Int32, as what: Int) {
        guard !isForeign(socket) else { return }
        switch what {
        case CURL_POLL_IN: sockets.watch(socket, for: .read)
        case CURL_POLL_OUT: sockets.watch(socket, for: .write)
        case CURL_POLL_INOUT: sockets.watch(socket, for: .readAndWrite)
        default: sockets.watch(socket, for: SocketSet.Interest(rawValue: 0))
        }
    }

    /// - Returns: 0, or -1 on failure.
    private func closeSocket(_ socket: Int32) -> Int32 {
        sockets.forget(socket)
        didClose(socket)
        if isWatched { calls?.forget(socket) }
        return close(socket)
    }

    /// Ensures from now on that a connection cannot keep libcurl busy.
    package func watchCalls() {
        guard !isWatched, let calls else { return }
        isWatched = true
        calls.start()
    }

    /// Names the connection that libcurl has chosen for a request, by its local port.
    package func didChoose(port: UInt16) {
        if isWatched, let socket = sockets.reusableSocket(atPort: port) { calls?.didChoose(socket) }
    }

    /// Takes the results of the transfers that are finished.
    package func readResults(_ action: (_ easy: OpaquePointer, CURLcode) -> Void) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let easy = message.easy_handle else { continue }
            action(easy, message.data.result)
        }
        endedPort = nil
    }

    /// Calls libcurl if its timeout is due, and returns whether it was.
    package func callIfDue() -> Bool {
        guard let deadline, deadline <= now else { return false }
        self.deadline = nil
        call(Int32(CURL_SOCKET_TIMEOUT), SocketSet.Interest(rawValue: 0))
        return true
    }

    /// Sleeps until a socket is ready, or until the deadline, or libcurl's deadline if that is earlier; then calls libcurl with the ready
    /// sockets.
    ///
    /// - Parameters:
    ///   - onAwake: called before the first socket.
    ///   - handles: returns whether the engine has handled the socket itself.
    package func sleep(until limit: UInt64, onAwake: () -> Void, except handles: (_ socket: Int32, SocketSet.Interest) -> Bool) {
        sockets.wait(until: min(limit, deadline ?? .max), from: now) {
            onAwake()
            now = MonotonicTime.now
        } _: { socket, interest in
            if !handles(socket, interest) { call(socket, interest) }
        }
    }

    private func call(_ socket: Int32, _ interest: SocketSet.Interest) {
        let events = (interest.contains(.read) ? CURL_CSELECT_IN : 0) | (interest.contains(.write) ? CURL_CSELECT_OUT : 0)
        var running: Int32 = 0
        if isWatched, let calls {
            calls.begin(sockets.isConnection(socket) ? socket : nil)
            curl_multi_socket_action(handle, socket, Int32(events), &running)
            if let port = calls.didReturn() { endedPort = port }
        } else {
            curl_multi_socket_action(handle, socket, Int32(events), &running)
        }
        if running < self.running { didEnd?(self, Int(running)) }
        self.running = running
    }
}

/// This is sound without a retain, because the engine retains the object until the handle is freed.
@discardableResult
private func withMulti<Result>(_ context: UnsafeMutableRawPointer?, _ action: (CurlMulti) -> Result) -> Result? {
    guard let context else { return nil }
    return Unmanaged<CurlMulti>.fromOpaque(context)._withUnsafeGuaranteedRef(action)
}

/// An easy handle of libcurl. Confined to its engine's thread.
package protocol CurlHandle: AnyObject {
    var handle: OpaquePointer { get }
    var errorText: CurlErrorText { get }
}

extension CurlHandle {
    package func set(_ option: CURLoption, _ value: Int) {
        clibcurl_set_long(handle, option, value)
    }

    package func set(_ option: CURLoption, _ value: String) {
        // An implicit conversion would make an array of each text.
        _ = value.withCString { clibcurl_set_string(handle, option, $0) }
    }

    /// Sets the options that all connections of the package share.
    package func setCommonOptions() {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS)
        clibcurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText.bytes)
    }

    /// The `errno` of the last failed connect, or 0.
    package var systemError: Int32 {
        Int32(number(CURLINFO_OS_ERRNO))
    }

    package func number(_ info: CURLINFO) -> Int {
        var value = 0
        clibcurl_get_long(handle, info, &value)
        return value
    }

    /// Returns libcurl's message of a failure.
    package func errorMessage(_ code: CURLcode) -> String {
        errorText.message ?? curl_easy_strerror(code).map { String(cString: $0) } ?? "code \(code)"
    }
}

/// The buffer into which libcurl writes error messages; it must outlive the handle.
package final class CurlErrorText {
    fileprivate let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    package init() { bytes.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE)) }

    deinit { bytes.deallocate() }

    package var message: String? {
        bytes.pointee == 0 ? nil : String(cString: bytes)
    }

    package func clear() { bytes.pointee = 0 }
}
