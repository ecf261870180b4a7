internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// The life of a connection.
extension SocketEngine {
    func begin(_ link: SocketLink) {
        guard case .connecting = link.phase else { return }
        do throws(TransportError) {
            try link.endpoint.validate()
            try connect(link)
        } catch {
            end(link, .error(error))
        }
    }

    /// - Parameter established: the descriptor of the connection, if only TLS is missing.
    private func connect(_ link: SocketLink, established: Int32? = nil) throws(TransportError) {
        guard let multi = prepare(), let handle = SocketHandle(multi, established: established) else {
            if let established { close(established) }
            throw .cannotConnect(url: link.endpoint.description, reason: "the system has no descriptor, thread or memory left")
        }
        try handle.configure(for: link.endpoint)
        let code = curl_multi_add_handle(multi.handle, handle.handle)
        guard code == 0 else { throw .other(code: Int(code), reason: "libcurl rejected it", url: link.endpoint.description) }
        link.handle = handle
        connecting[handle.handle] = link
    }

    func didConnect(_ link: SocketLink, _ code: CURLcode) {
        guard let handle = link.handle else { return }
        guard code == CURLE_OK, let socket = handle.socket else {
            return end(link, .error(handle.error(code == CURLE_OK ? CURLE_COULDNT_CONNECT : code, at: link.endpoint)))
        }
        link.socket = socket
        open[socket] = link
        let phase = link.phase
        link.phase = .open
        link.isSecure.store(link.endpoint.security != .plain, ordering: .releasing)
        link.didConnect()
        // Until the first call libcurl counts the connection as idle, and might close it.
        if link.early == nil { link.early = input(of: handle, link) }
        if case .upgrading(let completion) = phase { completion(nil) } else { link.deliver(.next(SocketConnection(link))) }
        makeReadable(link)
        writeOutput(link)
    }

    /// Begins TLS on a connection: another handle of libcurl takes it over.
    func upgrade(_ link: SocketLink, _ options: TLSOptions, _ completion: @escaping SocketCompletion) {
        guard link.endpoint.security == .plain else {
            return completion(TransportError.other(code: 0, reason: "it has TLS already", url: link.endpoint.description))
        }
        let copy = fcntl(link.socket, F_DUPFD_CLOEXEC, 0)
        multi?.sockets.release(link.socket)
        detach(link)
        link.phase = .upgrading(completion)
        link.endpoint.security = .tls(options)
        link.startHandshakeLimit()
        do throws(TransportError) {
            guard copy >= 0 else { throw .cannotConnect(url: link.endpoint.description, reason: "the system has no descriptor left") }
            try link.endpoint.validate()
            try connect(link, established: copy)
        } catch {
            end(link, .error(error))
        }
    }

    /// Removes the connection from libcurl, which closes it.
    private func detach(_ link: SocketLink) {
        guard let handle = link.handle else { return }
        connecting[handle.handle] = nil
        open[link.socket] = nil
        if let multi { curl_multi_remove_handle(multi.handle, handle.handle) }
        (link.handle, link.socket) = (nil, -1)
    }

    func finish(_ error: any Error, _ link: SocketLink) {
        guard link.finalError == nil else { return }
        link.finalError = error
        link.startCloseLimit()
        _ = link.outgoing.withLock { $0.append(.close) }
        writeOutput(link)
    }

    func end(_ link: SocketLink, _ event: Event<Data>) {
        if case .ended = link.phase { return }
        let event = link.finalError.map { .error($0) } ?? event
        detach(link)
        let (receiver, phase) = (link.receiver, link.phase)
        link.ending = event
        let actions = link.end()
        let error = event.error ?? TransportError.connectionLost(url: link.endpoint.description, reason: "it was closed")
        if case .upgrading(let completion) = phase { completion(error) }
        for action in actions { action.completion?(error) }
        receiver?.end(event)
        link.deliver(event.error.map { .error($0) } ?? .completed)
    }

    func expired(_ limit: SocketLink.Limit, _ link: SocketLink) {
        if case .ended = link.phase { return }
        if limit == .close { return end(link, .completed) }
        if let error = link.expired(limit) { end(link, .error(error)) }
    }
}
