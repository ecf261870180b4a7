internal import CLibcurl
import Foundation

extension CurlTransport {
    /// An event on a connection of a ``CurlTransport``, line by line: see ``CurlTransport/Configuration/trace``.
    ///
    /// The lines are those of the connection, unchanged: they can contain secrets and control characters. The lines of a transfer precede
    /// the events that result from them. Bodies are not included.
    public enum Trace: Sendable, Equatable {
        /// libcurl's remark about the connection: addresses, TLS, certificates.
        case information(String)
        /// A line of a request's head; an empty line ends it.
        case sentHeader(String)
        /// A line of a response's head or of its trailers; an empty line ends them. Lines of redirects and interim responses are included.
        case receivedHeader(String)
    }
}

extension CurlEasy {
    /// The context is the engine, because libcurl also reports connections that outlive the transfer for which they were made.
    func setTrace(of engine: CurlEngine) {
        clibcurl_set_long(handle, CURLOPT_VERBOSE, 1)
        clibcurl_set_pointer(handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(engine).toOpaque())
        clibcurl_set_debug(handle) { _, kind, bytes, count, context in
            guard let context else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            Unmanaged<CurlEngine>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.trace(kind, bytes) }
            return 0
        }
    }
}

extension CurlEngine {
    fileprivate func trace(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        guard let trace = configuration.trace, let make = CurlTransport.Trace.make(kind) else { return }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Text after the last line break is no line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { trace(make(HeaderText.text(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))) }
    }
}

extension CurlTransport.Trace {
    fileprivate static func make(_ kind: curl_infotype) -> ((String) -> CurlTransport.Trace)? {
        switch kind {
        case CURLINFO_TEXT: CurlTransport.Trace.information
        case CURLINFO_HEADER_OUT: CurlTransport.Trace.sentHeader
        case CURLINFO_HEADER_IN: CurlTransport.Trace.receivedHeader
        default: nil
        }
    }
}
