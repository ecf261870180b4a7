import CLibcurl
import Foundation

/// libcurl as its examples use it, on the calling thread: one easy handle, or a multi handle that is polled.
struct CurlClient: Client {
    /// How many requests it can run at once.
    static let most = 256

    let name = "bare libcurl"
    private let multi = Multi()
    private let handles: [Handle]

    init(url: URL) {
        handles = (0..<Self.most).map { _ in Handle(url.absoluteString) }
    }

    func run(_ count: Int, atOnce: Int) throws {
        if atOnce == 1 { try runInARow(count) } else { try runAtOnce(count, atOnce) }
    }

    private func runInARow(_ count: Int) throws {
        for _ in 0..<count {
            let code = curl_easy_perform(handles[0].easy)
            try handles[0].finish(code, name)
        }
    }

    private func runAtOnce(_ count: Int, _ atOnce: Int) throws {
        var toStart = count
        var toEnd = count
        for handle in handles.prefix(min(atOnce, count)) {
            curl_multi_add_handle(multi.handle, handle.easy)
            toStart -= 1
        }
        while toEnd > 0 {
            var running: Int32 = 0
            curl_multi_perform(multi.handle, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi.handle, &left)?.pointee {
                guard message.msg == CURLMSG_DONE, let handle = handles.first(where: { $0.easy == message.easy_handle }) else { continue }
                curl_multi_remove_handle(multi.handle, handle.easy)
                try handle.finish(message.data.result, name)
                toEnd -= 1
                guard toStart > 0 else { continue }
                toStart -= 1
                curl_multi_add_handle(multi.handle, handle.easy)
            }
            if toEnd > 0, toStart == 0 || running == Int32(atOnce) { curl_multi_poll(multi.handle, nil, 0, 1000, nil) }
        }
    }

    /// Sound because the harness lets one client ask at a time, on one thread: law 2 holds for what it keeps.
    private final class Multi: @unchecked Sendable {
        let handle = curl_multi_init()

        deinit { curl_multi_cleanup(handle) }
    }

    /// Used by one thread at a time too.
    private final class Handle: @unchecked Sendable {
        let easy = curl_easy_init()
        private let decoder = JSONDecoder()
        private var body = Data()

        init(_ url: String) {
            clibcurl_set_string(easy, CURLOPT_URL, url)
            clibcurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
            clibcurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
            clibcurl_set_string(easy, CURLOPT_NOPROXY, "*")
            clibcurl_set_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(self).toOpaque())
            clibcurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue().body.append(
                    UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: size * count)
                return size * count
            }
        }

        deinit { curl_easy_cleanup(easy) }

        func finish(_ code: CURLcode, _ client: String) throws {
            guard code == CURLE_OK else { throw LostAnswer(client: client, text: "code \(code)") }
            let quote = try decoder.decode(Quote.self, from: body)
            guard quote == .expected else { throw LostAnswer(client: client, text: "\(quote)") }
            body.removeAll(keepingCapacity: true)
        }
    }
}
