import Foundation
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

    /// Notes that the connection is established, with TLS if its endpoint requires it.
    func didConnect(_ link: SocketLink) {
        guard let channel = link.channel else { return }
        let phase = link.phase
        link.phase = .open
        link.isSecure.store(link.endpoint.security != .plain, ordering: .releasing)
        link.didConnect()
        // Until the first call, libcurl counts the connection as idle and might close it.
        if link.early == nil { link.early = input(of: channel, link) }
        if case .upgrading(let completion) = phase { completion(nil) } else { link.deliver(.next(SocketConnection(link))) }
        makeReadable(link)
        writeOutput(link)
    }

    /// Begins TLS on a connection.
    func upgrade(_ link: SocketLink, _ options: TLSOptions, _ completion: @escaping SocketCompletion) {
        guard link.endpoint.security == .plain else {
            return completion(TransportError.other(code: 0, reason: "it has TLS already", url: link.endpoint.description))
        }
        link.phase = .upgrading(completion)
        link.endpoint.security = .tls(options)
        link.startHandshakeLimit()
        do throws(TransportError) {
            // Delivered after the handshake, they would seem to be the server's; anybody on the way may have sent them.
            if case .bytes? = link.early {
                throw .secureConnectionFailed(url: link.endpoint.description, reason: "bytes that arrived before TLS were not read")
            }
            try link.endpoint.validate()
            try beginTLS(link)
        } catch {
            end(link, .error(error))
        }
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
