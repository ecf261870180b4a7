internal import CLibcurl
import Foundation
internal import SocketPolling

/// The callbacks of libcurl's multi handle.
extension CurlEngine {
    /// The engine is the context of all callbacks; its thread retains it until the multi handle is freed.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func installCallbacks(in multi: OpaquePointer) {
        clibcurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        clibcurl_multi_set_socket(multi) { _, socket, what, context, _ in
            engineOf(context)?.wants(Int(what), of: socket)
            return 0
        }
        clibcurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        clibcurl_multi_set_timer(multi) { _, milliseconds, context in
            guard let engine = engineOf(context) else { return 0 }
            engine.curlDeadline = milliseconds < 0 ? nil : engine.now.advanced(by: .milliseconds(milliseconds))
            return 0
        }
    }

    /// Closes a connection's socket for libcurl.
    ///
    /// - Returns: 0, or -1 on failure.
    func closeSocket(_ socket: curl_socket_t) -> Int32 {
        sockets?.forget(socket)
        return close(socket)
    }

    private func wants(_ what: Int, of socket: Int32) {
        switch what {
        case CURL_POLL_IN: sockets?.watch(socket, for: .read)
        case CURL_POLL_OUT: sockets?.watch(socket, for: .write)
        case CURL_POLL_INOUT: sockets?.watch(socket, for: .readAndWrite)
        default: sockets?.watch(socket, for: SocketSet.Interest(rawValue: 0))
        }
    }
}

func engineOf(_ context: UnsafeMutableRawPointer?) -> CurlEngine? {
    context.map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
}

/// The result of libcurl's global initialization.
let globalInitialization = curl_global_init(CURL_GLOBAL_DEFAULT)
