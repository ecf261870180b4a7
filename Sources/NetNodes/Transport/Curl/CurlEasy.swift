internal import Bytes
internal import CLibcurl
import Foundation

/// An easy handle of libcurl, reused for one request after another. Confined to the engine's thread.
final class CurlEasy: CurlHandle {
    /// The size of the buffer of each running transfer. Freeing 64 KB or more would make the C library consolidate its heap at each
    /// request.
    private static let bufferSize = 32 * 1024
    /// The buffer size for a body that is streamed and may be long, which causes fewer calls of the system; and for HTTP/2: a libcurl before
    /// 8.0 may not notice the end of a response whose head is longer than its buffer, and takes none beyond this size.
    private static let longBufferSize = 128 * 1024
    /// The buffer size for sending a body that is made meanwhile: libcurl sends one buffer in each turn of the loop.
    private static let uploadBufferSize = 256 * 1024

    /// Whether a handle can do one request after another.
    ///
    /// Source: [curl, pull request 11103](https://github.com/curl/curl/pull/11103). From 7.83 to 8.1.0, libcurl keeps a pointer to the last
    /// header field of the previous request. A server whose first field is a folded line makes it use that memory, which has been freed.
    static let canBeReused: Bool = {
        let name = String(cString: curl_version()).prefix { $0 != " " }
        let numbers = name.drop { $0 != "/" }.dropFirst().split(separator: ".").map { Int($0) ?? 0 }
        return numbers.lexicographicallyPrecedes([7, 83]) || [8, 1].lexicographicallyPrecedes(numbers) && numbers != [8, 1, 0]
    }()

    let handle: OpaquePointer
    let errorText = CurlErrorText()
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var addressList: UnsafeMutablePointer<curl_slist>?
    private var body: CurlBody?
    /// The options that are already set; an idle handle without a kind has none.
    private var kind: RequestKind?
    private var tellsConnection = false

    init?() {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerList)
        curl_slist_free_all(addressList)
    }

    /// Resets the handle for another request; connections and caches belong to the engine and are kept.
    ///
    /// - Parameter isIntact: whether the last request succeeded, so that another of its kind can reuse its options.
    func release(isIntact: Bool) {
        if !isIntact || kind == nil { reset() }
        curl_slist_free_all(headerList)
        headerList = nil
        body = nil
        errorText.clear()
    }

    /// Makes libcurl close the connection behind the running request.
    func closeConnectionAfterwards() {
        set(CURLOPT_FORBID_REUSE, 1)
        kind = nil
    }

    private func reset() {
        curl_easy_reset(handle)
        kind = nil
    }

    /// - Parameter multi: the multi handle, always the same one: an idle handle does not outlive it.
    func configure(
        for transfer: CurlTransfer, on multi: CurlMulti, _ configuration: CurlTransport.Configuration
    ) throws(TransportError) {
        let request = transfer.request
        // No request follows on a handle that is not reused.
        let kind = Self.canBeReused ? RequestKind(transfer) : nil
        if kind?.isSame(as: self.kind) != true {
            if self.kind != nil { reset() }
            setCallbacks()
            multi.installClosing(in: handle)
            try setConnection(transfer, configuration)
            setMethod(request)
            try setBody(of: transfer)
        }
        self.kind = kind
        setContext(transfer)
        if !tellsConnection {
            transfer.didConnect(connections: 1)
            // Such a libcurl cannot be prevented from sending a request again after the end of a reused connection.
            if !request.method.isIdempotent { set(CURLOPT_FRESH_CONNECT, 1) }
        }
        set(CURLOPT_URL, request.url.absoluteString)
        if transfer.isStreamed, request.asksForGzip { appendLine("Accept-Encoding: gzip") }
        setHeaders(request, configuration.network)
    }

    private func setConnection(_ transfer: CurlTransfer, _ configuration: CurlTransport.Configuration) throws(TransportError) {
        guard configuration.hasValidLoops else {
            throw .cannotConnect(url: transfer.request.redactedURL, reason: "a transport has 1 to 64 loops, not \(configuration.loops)")
        }
        setCommonOptions()
        try setNetwork(configuration.network, transfer)
        if let time = configuration.maximumIdleTime { set(CURLOPT_MAXAGE_CONN, time.wholeSeconds) }
        if let age = configuration.maximumConnectionAge { set(CURLOPT_MAXLIFETIME_CONN, max(1, age.wholeSeconds)) }
        let mayMultiplex = transfer.origin.scheme == "https" && configuration.network.httpVersion.mayMultiplex
        set(CURLOPT_BUFFERSIZE, transfer.isStreamed || mayMultiplex ? Self.longBufferSize : Self.bufferSize)
        if transfer.origin.scheme == "https" {
            set(CURLOPT_PIPEWAIT, 1)
            set(CURLOPT_CERTINFO, 1)
            try setSecurity(configuration.tls, authorities: configuration.tls.certificateAuthorities, for: transfer.request.redactedURL)
        }
        if configuration.trace != nil { setTrace(of: transfer.engine) }
        if !transfer.isStreamed, transfer.request.headers["Accept-Encoding"] == nil { set(CURLOPT_ACCEPT_ENCODING, "") }
        if transfer.request.headers["User-Agent"] == nil, let agent = configuration.userAgent {
            if let fault = transfer.loops.agentFault { throw fault }
            set(CURLOPT_USERAGENT, agent)
        }
        set(CURLOPT_CONNECTTIMEOUT_MS, transfer.connectTimeout)
    }
}

/// The request in libcurl's terms.
extension CurlEasy {
    private func setMethod(_ request: HTTPRequest) {
        switch (request.method, request.body) {
        case (.head, .none): set(CURLOPT_NOBODY, 1)
        case (.get, .none): set(CURLOPT_HTTPGET, 1)
        case (.post, .none), (.post, .data), (.put, .none), (.patch, .none), (_, .data): set(CURLOPT_POST, 1)
        case (_, .file), (_, .pieces), (_, .stream): set(CURLOPT_UPLOAD, 1)
        default: set(CURLOPT_HTTPGET, 1)
        }
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }

    private func setBody(of transfer: CurlTransfer) throws(TransportError) {
        let request = transfer.request
        switch request.body {
        case .none:
            guard request.sendsBody else { return }
            clibcurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0)
            set(CURLOPT_COPYPOSTFIELDS, "")
        case .data(let data):
            clibcurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(data.count))
            if data.isEmpty { return set(CURLOPT_COPYPOSTFIELDS, "") }
            data.withUnsafeBytes { _ = clibcurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        case .file, .pieces: install(try CurlBodyReader(request.body.inPieces))
        case .stream(let stream):
            set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferSize)
            install(CurlBodyStream(stream, of: transfer))
        }
    }

    private func install(_ body: CurlBody) {
        self.body = body
        body.install(in: handle)
    }

    private func setHeaders(_ request: HTTPRequest, _ network: CurlTransport.Network) {
        // An empty value prevents libcurl from adding the field: it would wait up to a second for "100 Continue".
        if request.sendsBody {
            appendLine("Expect:")
            if request.headers["Content-Type"] == nil { appendLine("Content-Type:") }
        }
        for name in network.omittedHeaders { appendLine("\(name):") }
        for field in request.headers where !field.name.equalsIgnoringASCIICase("Content-Length") && !network.omits(field.name) {
            // Without this syntax libcurl would omit a field with an empty value.
            let isBlank = field.value.utf8.allSatisfy(\.isBlank)
            if let bytes = HeaderText.opaqueBytes(field) {
                appendLine("\(field.name): ".utf8 + bytes)
            } else {
                appendLine(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
            }
        }
        clibcurl_set_list(handle, CURLOPT_HTTPHEADER, headerList)
    }

    func setAddresses(_ addresses: [String]) {
        if addressList == nil { for address in addresses { addressList = curl_slist_append(addressList, address) } }
        clibcurl_set_list(handle, CURLOPT_RESOLVE, addressList)
    }

    private func appendLine(_ line: String) {
        guard let longer = curl_slist_append(headerList, line) else { return }
        headerList = longer
    }

    private func appendLine(_ line: [UInt8]) {
        let longer = (line + [0]).withUnsafeBytes { curl_slist_append(headerList, $0.assumingMemoryBound(to: CChar.self).baseAddress) }
        if let longer { headerList = longer }
    }
}

/// The callbacks of libcurl.
extension CurlEasy {
    private func setContext(_ transfer: CurlTransfer) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA] {
            clibcurl_set_pointer(handle, option, context)
        }
        if transfer.request.body != .none { set(CURLOPT_NOPROGRESS, 0) }
    }

    private func setCallbacks() {
        clibcurl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            switch withTransfer(context, { $0.didReceiveBytes(bytes) }) {
            case .accepted: return bytes.count
            case .pause: return Int(CURL_WRITEFUNC_PAUSE)
            case .abort, nil: return 0
            }
        }
        clibcurl_set_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return withTransfer(context, { $0.didReceiveHeaderLine(line) }) == true ? line.count : 0
        }
        tellsConnection =
            clibcurl_set_prerequest(handle) { context, _, _, _, port in
                let isSent = withTransfer(context) { $0.approveSending(fromPort: port) } == true
                return Int32(isSent ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
            } == CURLE_OK
        clibcurl_set_progress(handle) { context, _, _, total, sent in
            withTransfer(context) { $0.didSend(sent, of: total) }
            return 0
        }
        clibcurl_set_open_socket(handle) { context, _, address in
            guard let address else { return curl_socket_t(CURL_SOCKET_BAD) }
            return withTransfer(context) { $0.openSocket(address.pointee) } ?? curl_socket_t(CURL_SOCKET_BAD)
        }
    }
}

/// This is sound without a retain, because the engine retains the transfer while its handle is in use.
@discardableResult
private func withTransfer<Result>(_ context: UnsafeMutableRawPointer?, _ action: (CurlTransfer) -> Result) -> Result? {
    guard let context else { return nil }
    return Unmanaged<CurlTransfer>.fromOpaque(context)._withUnsafeGuaranteedRef(action)
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(clamping: max(0, components.seconds)) }
}

/// The options that a request without a body sets in its handle, apart from the URL and the header fields. A request of the same kind can
/// reuse them.
///
/// The origin is part of the kind, so that no option of a request can leak to another server.
struct RequestKind {
    private let origin: Origin
    private let method: HTTPRequest.Method
    private let connectTimeout: Int
    private let isStreamed: Bool
    private let hasOwnEncoding: Bool
    private let hasOwnAgent: Bool

    /// Creates the kind of a request; returns `nil` if it has a body.
    init?(_ transfer: CurlTransfer) {
        guard !transfer.request.sendsBody else { return nil }
        origin = transfer.origin
        method = transfer.request.method
        connectTimeout = transfer.connectTimeout
        isStreamed = transfer.isStreamed
        hasOwnEncoding = transfer.request.headers["Accept-Encoding"] != nil
        hasOwnAgent = transfer.request.headers["User-Agent"] != nil
    }

    /// Whether no other options need to be set.
    func isSame(as other: RequestKind?) -> Bool {
        guard let other else { return false }
        return origin == other.origin && method == other.method && connectTimeout == other.connectTimeout
            && isStreamed == other.isStreamed
            && hasOwnEncoding == other.hasOwnEncoding && hasOwnAgent == other.hasOwnAgent
    }
}

extension HTTPRequest {
    /// Whether a body is sent, even an empty one: methods that usually have a body always send one.
    package var sendsBody: Bool {
        body != .none || method == .post || method == .put || method == .patch
    }
}

extension CurlTransfer {
    /// The connect timeout in milliseconds, as libcurl expects it.
    var connectTimeout: Int {
        let milliseconds = request.timeouts.connect?.wholeMilliseconds ?? Int64(Int32.max)
        return Int(min(max(1, milliseconds), Int64(Int32.max)))
    }
}
