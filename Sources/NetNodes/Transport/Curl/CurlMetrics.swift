internal import CLibcurl
import Foundation

extension CurlEasy {
    func metrics(of transfer: CurlTransfer, certificateExpiry: Date?) -> TransferMetrics {
        TransferMetrics(
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

extension CurlEngine {
    /// The certificate expiry of an origin, as reported by the last connection to it.
    func certificateExpiry(of transfer: CurlTransfer, on easy: CurlEasy) -> Date? {
        guard transfer.origin.scheme == "https" else { return nil }
        if let told = easy.certificateExpiry { expiries[transfer.origin] = told }
        return expiries[transfer.origin]
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
