internal import CLibcurl
import Foundation
internal import HTTPMessages
internal import Sockets

/// An easy handle of libcurl that connects, and then sends and receives bytes. Confined to the engine's thread.
final class CurlSocketHandle: CurlHandle {
    let handle: OpaquePointer
    let errorText = CurlErrorText()
    private var destination: UnsafeMutablePointer<curl_slist>?
    /// An established connection on which TLS begins, until libcurl has it.
    private var established: Int32?
    private let multi: CurlMulti
    /// The `errno` of a socket that could not be created, or 0.
    private(set) var socketError: Int32 = 0

    /// - Parameter established: the descriptor of a connection; it belongs to this handle from now on.
    init?(_ multi: CurlMulti, established: Int32? = nil) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.multi = multi
        self.established = established
    }

    /// libcurl may call back while this runs, so everything else is released after it.
    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(destination)
        if let established { close(established) }
    }

    func configure(for endpoint: SocketConnection.Endpoint) throws(TransportError) {
        let isEstablished = established != nil
        var name = endpoint.host
        if case .tls(let options) = endpoint.security {
            name = options.serverName ?? name
            try setSecurity(
                options, authorities: CertificateAuthorities.found(configured: options.certificateAuthorities), for: endpoint.description)
        }
        set(CURLOPT_URL, endpoint.address(named: name))
        if isEstablished {
            // Any address will do: nothing is looked up, and no connection is made to it.
            setDestination("::127.0.0.1:\(endpoint.port)")
        } else if name != endpoint.host {
            setDestination("::\(bracketed(endpoint.host)):\(endpoint.port)")
        }
        setCommonOptions()
        set(CURLOPT_CONNECT_ONLY, 1)
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_SSL_ENABLE_ALPN, 0)
        set(CURLOPT_HTTPPROXYTUNNEL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // A read returns no more than this, however much is asked for.
        set(CURLOPT_BUFFERSIZE, SocketLink.readSize)
        // The node has a timeout of its own, on its scheduler.
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        if isEstablished || isLoopback(endpoint.host) { set(CURLOPT_NOPROXY, "*") }
        setCallbacks()
    }

    private func setDestination(_ text: String) {
        destination = curl_slist_append(nil, text)
        clibcurl_set_list(handle, CURLOPT_CONNECT_TO, destination)
    }

    private func setCallbacks() {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        clibcurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        clibcurl_set_pointer(handle, CURLOPT_SOCKOPTDATA, context)
        clibcurl_set_open_socket(handle) { context, _, address in
            guard let context, let address else { return curl_socket_t(CURL_SOCKET_BAD) }
            return Unmanaged<CurlSocketHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.openSocket(address.pointee) }
        }
        if established != nil {
            clibcurl_set_set_up_socket(handle) { _, _, _ in Int32(CURL_SOCKOPT_ALREADY_CONNECTED) }
        }
        multi.installClosing(in: handle)
    }

    private func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        if let socket = established.take() { return socket }
        let socket = multi.sockets.open(address, isExclusive: false)
        if socket == curl_socket_t(CURL_SOCKET_BAD) { socketError = errno }
        return socket
    }
}

/// The established connection.
extension CurlSocketHandle: ByteChannel {
    /// The descriptor of the connection.
    var socket: Int32? {
        var socket = curl_socket_t(CURL_SOCKET_BAD)
        guard clibcurl_get_socket(handle, &socket) == CURLE_OK, socket >= 0 else { return nil }
        return socket
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> SocketTransfer {
        var count = 0
        return transfer(curl_easy_send(handle, bytes.baseAddress, bytes.count, &count), count)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> SocketTransfer {
        var count = 0
        return transfer(curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count), count)
    }

    func shutDownWriting() {
        if let socket { shutdown(socket, Int32(SHUT_WR)) }
    }

    private func transfer(_ code: CURLcode, _ count: Int) -> SocketTransfer {
        switch code {
        case CURLE_OK: .count(count)
        case CURLE_AGAIN: .wouldBlock
        default: .failed(Int32(code.rawValue))
        }
    }

    func error(_ code: CURLcode, at endpoint: SocketConnection.Endpoint) -> TransportError {
        TransportError(
            code, message: errorMessage(code), systemError: systemError == 0 ? socketError : systemError, endpoint: endpoint)
    }
}
