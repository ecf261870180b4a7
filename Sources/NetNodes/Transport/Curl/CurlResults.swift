internal import CLibcurl
import Foundation

extension TransportError {
    /// Creates the error that corresponds to a failure of libcurl.
    ///
    /// - Parameters:
    ///   - message: libcurl's message.
    ///   - systemError: the `errno` of the last connect, or 0.
    init(_ code: CURLcode, message: String, systemError: Int32, transfer: CurlTransfer) {
        let request = transfer.request
        let url = request.redactedURL
        let reason = normalizedMessage(message)
        switch code {
        case _ where message.contains("chunked-encod"): self = .malformedResponse(url: url, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(.connect, after: request.timeouts.connect ?? transfer.age, url: url)
        case CURLE_PARTIAL_FILE where transfer.hasHead: self = .incompleteBody(url: url, received: transfer.received, reason: reason)
        case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK:
            self = .unreadableBody(path: request.body.path, reason: "it could not be read to its end")
        case _ where headerExcesses.contains(where: message.contains), CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE:
            self = .malformedResponse(url: url, reason: "a header is too long")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .malformedResponse(url: url, reason: reason)
        case CURLE_BAD_CONTENT_ENCODING: self = .undecodableBody(url: url, reason: reason)
        case CURLE_SSL_CACERT_BADFILE:
            self = .unreadableAuthorities(
                path: transfer.engine.configuration.tls.certificateAuthorities.map { "\($0)" } ?? "", reason: "it holds no certificate")
        default:
            let systemError = systemError == 0 ? transfer.socketError : systemError
            let failure = TransportError.connectionFailure(
                code, message: message, reason: reason, systemError: systemError, host: request.url.plainHost ?? "", url: url)
            guard case .connectionLost(_, let reason) = failure else {
                self = failure
                return
            }
            // Before the request is sent, only the response of a proxy to CONNECT is read.
            let isProxys = code == CURLE_RECV_ERROR && !transfer.isSent
            self = isProxys ? .proxyFailed(url: url, reason: reason) : transfer.connectionLost(reason)
        }
    }
}

/// The messages of libcurl for a head beyond its own limits; all but the first one come from HTTP/2.
private let headerExcesses = ["Too large response headers", "user callback function failed", "Too many CONTINUATION frames"]

extension HTTPRequest.Body {
    fileprivate var path: String {
        inPieces.compactMap { piece in if case .file(let url) = piece { url.path } else { nil } }.joined(separator: ", ")
    }
}

extension CurlEasy {
    func metrics(of transfer: CurlTransfer, certificateExpiry: Date?) -> HTTPResponse.Metrics {
        HTTPResponse.Metrics(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secureConnect: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            total: transfer.age,
            bytesSent: offset(CURLINFO_SIZE_UPLOAD_T),
            bytesReceived: offset(CURLINFO_SIZE_DOWNLOAD_T),
            reusedConnection: number(CURLINFO_NUM_CONNECTS) == 0,
            redirects: transfer.redirects,
            protocolName: protocolName,
            remoteAddress: text(CURLINFO_PRIMARY_IP),
            certificateExpiry: certificateExpiry,
            redirecting: transfer.redirecting,
            redirectHistory: transfer.redirectHistory
        )
    }

    /// The expiry of the server's certificate, if a secure connection was made for this request.
    var certificateExpiry: Date? {
        var list: UnsafeMutablePointer<curl_certinfo>?
        clibcurl_get_certificates(handle, &list)
        guard let list = list?.pointee, list.num_of_certs > 0 else { return nil }
        var line = list.certinfo?[0]
        while let current = line {
            let text = current.pointee.data.map { String(cString: $0) } ?? ""
            if text.hasPrefix("Expire date:") { return certificateDate(String(text.dropFirst("Expire date:".count))) }
            line = current.pointee.next
        }
        return nil
    }

    /// Whether the connection carries one request at a time.
    var isExclusive: Bool {
        (1...CURL_HTTP_VERSION_1_1).contains(number(CURLINFO_HTTP_VERSION))
    }

    private var protocolName: String? {
        switch number(CURLINFO_HTTP_VERSION) {
        case 1: "HTTP/1.0"
        case CURL_HTTP_VERSION_1_1: "HTTP/1.1"
        case CURL_HTTP_VERSION_2: "HTTP/2"
        case CURL_HTTP_VERSION_3: "HTTP/3"
        default: nil
        }
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: Int64 = 0
        clibcurl_get_offset(handle, info, &value)
        return value
    }

    private func time(_ info: CURLINFO) -> Duration? {
        let microseconds = offset(info)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        clibcurl_get_string(handle, info, &value)
        return value.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Parses a date in the format of OpenSSL (`Nov 24 02:09:14 2026 GMT`) or GnuTLS (`2026-11-24 02:09:14 UTC`). It does not use Foundation,
/// whose first formatter takes some 50 ms, because it runs on the engine's thread.
func certificateDate(_ text: String) -> Date? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var words = text.split(separator: " ").map(String.init)
    guard words.count >= 3 else { return nil }
    if let month = months.firstIndex(of: words[0]), words.count >= 4 {
        words = ["\(words[3])-\(month + 1)-\(words[1])", words[2]]
    }
    let day = words[0].split(separator: "-").compactMap { Int32($0) }
    let time = words[1].split(separator: ":").compactMap { Int32($0) }
    guard day.count == 3, time.count == 3 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] &- 1900, day[1] &- 1, day[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time[2])
    return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
}
