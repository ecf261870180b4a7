internal import CLibcurl
import Foundation

extension CurlEasy {
    /// The `errno` of the last connect that failed, or 0.
    var systemError: Int {
        number(CURLINFO_OS_ERRNO)
    }

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
            certificateExpiry: certificateExpiry
        )
    }

    /// When the server's certificate expires, where a secure connection was made for this request.
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

    private var protocolName: String? {
        switch number(CURLINFO_HTTP_VERSION) {
        case 1: "HTTP/1.0"
        case CURL_HTTP_VERSION_1_1: "HTTP/1.1"
        case CURL_HTTP_VERSION_2: "HTTP/2"
        case CURL_HTTP_VERSION_3: "HTTP/3"
        default: nil
        }
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        clibcurl_get_long(handle, info, &value)
        return value
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

/// A date as OpenSSL or GnuTLS writes it.
private func certificateDate(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    for format in ["MMM d HH:mm:ss yyyy zzz", "yyyy-MM-dd HH:mm:ss zzz"] {
        formatter.dateFormat = format
        if let date = formatter.date(from: text.split(separator: " ").joined(separator: " ")) { return date }
    }
    return nil
}
