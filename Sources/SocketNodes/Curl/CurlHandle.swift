package import CLibcurl
import Foundation

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
        clibcurl_set_string(handle, option, value)
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
