public import Foundation
public import Streams

/// An established connection of a ``SocketNode``. Thread-safe; it is closed with the subscription of the node.
public struct SocketConnection: Sendable {
    /// The endpoint of the connection.
    public let endpoint: Endpoint
    private let link: SocketLink

    init(_ link: SocketLink) {
        self.link = link
        endpoint = link.endpoint
    }

    /// Whether TLS is established.
    public var isSecure: Bool { link.isSecure.load(ordering: .acquiring) }

    /// The bytes from the peer, in pieces of at most 64 KB, on the thread of the sockets. See ``received(on:)``.
    public var received: Observable<Data> { received() }

    /// The bytes from the peer, in pieces of at most 64 KB.
    ///
    /// Nothing is read from the socket before the observer has returned from the last piece, while there is no subscriber, or while the
    /// subscriber is suspended: the peer can send at most as much as fits into the buffers of the two systems. You may dispose a
    /// subscription and make another, which continues where the first ended; a second one at the same time fails. If a subscription is
    /// disposed from another thread, a piece on its way to it is lost.
    ///
    /// Completes when the peer has closed the connection. Fails with a ``TransportError`` when the connection is reset, or closed without
    /// the end that TLS requires.
    ///
    /// - Parameter scheduler: the scheduler on which the pieces are delivered, one after the other, so that a slow or blocking consumer
    ///   delays no other. `nil` means the thread of the sockets, which is the fastest.
    public func received(on scheduler: (any Scheduler)? = nil) -> Observable<Data> {
        Observable { [link] downstream, lifetime in
            link.engine.subscribe(SocketReceiver(downstream, lifetime, on: scheduler, tellsAlways: link.hasIdleTimeout), to: link)
        }
    }

    /// Buffers bytes to be written, in the order of the calls. The bytes of a burst become one write.
    ///
    /// - Returns: whether the connection accepts bytes. It does not accept them once it was closed, or when the buffer overflowed, which
    ///   fails the connection with `StreamError.overflow(capacity:)`. A dropping policy drops elements and returns `true`.
    @discardableResult
    public func send(_ bytes: Data) -> Bool {
        bytes.withUnsafeBytes { send($0) }
    }

    /// Buffers bytes to be written, like ``send(_:)-(Data)``.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { send($0) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch link.outgoing.withLock({ $0.append(bytes) }) {
        case .queued: return true
        case .started:
            link.engine.write(link)
            return true
        case .overflow(let capacity):
            link.engine.fail(link, StreamError.overflow(capacity: capacity))
            return false
        case .closed: return false
        }
    }

    /// Buffers bytes like ``send(_:)-(Data)`` without copying them. Calls `completion` when the system has accepted them, or when the
    /// connection has ended earlier. `bytes` is empty after that, with the memory of earlier bytes.
    package func send(taking bytes: inout [UInt8], completion: @escaping @Sendable ((any Error)?) -> Void) {
        let outcome = link.outgoing.withLock { outgoing -> (OutgoingBytes.Outcome, Bool?) in
            (outgoing.append(taking: &bytes), outgoing.append(.flush(completion)))
        }
        switch outcome {
        case (.overflow(let capacity), _): link.engine.fail(link, StreamError.overflow(capacity: capacity))
        case (_, nil): completion(TransportError.connectionLost(url: endpoint.description, reason: "it was closed"))
        case (.started, _), (_, true?): link.engine.write(link)
        case (.queued, _), (.closed, _): break
        }
    }

    /// Calls `action` on the thread of the sockets, some 100 microseconds later. Bytes that are sent meanwhile can become one write with
    /// later ones.
    package func pause(_ action: @escaping @Sendable () -> Void) {
        link.engine.pause(action)
    }

    /// Sends the elements of a stream; its completion closes the connection (``close()``), and its error fails it.
    public var sender: AnyObserver<Data> {
        AnyObserver { [self] event in
            switch event {
            case .next(let bytes): send(bytes)
            case .completed: close()
            case .error(let error): link.engine.fail(link, error)
            }
        }
    }

    /// The number of bytes that were sent and that the system has not accepted.
    public var pendingBytes: Int { link.outgoing.withLock { $0.count } }

    /// Completes when the system has accepted all bytes that were sent before the subscription; fails if the connection ends earlier.
    public func flush() -> Completable {
        completable { .flush($0) }
    }

    /// Begins TLS on a plain connection, for protocols that negotiate it (STARTTLS). Bytes that were sent before are written first, bytes
    /// that are sent after the subscription are encrypted, and the received bytes continue in the same stream.
    ///
    /// Completes when the server is verified and the connection is secure. A failure fails the connection too. Bytes that have arrived and
    /// were not read are a failure: they are not known to be the server's.
    public func upgradeToTLS(_ options: TLSOptions = TLSOptions()) -> Completable {
        completable { .upgrade(options, $0) }
    }

    /// Writes the pending bytes, and then tells the peer that none follow; bytes from the peer are still received. With TLS it closes the
    /// connection, which cannot be half closed.
    public func closeSending() {
        append(.closeSending)
    }

    /// Writes the pending bytes, tells the peer, and completes the connection when the peer has closed too, or after the connect timeout.
    /// To close at once, dispose the subscription of the node.
    public func close() {
        append(.close)
    }

    /// Fails the connection at once. With `politely`, it fails when the pending bytes have been written and the peer has closed, or after a
    /// second.
    package func fail(_ error: any Error, politely: Bool) {
        if politely { link.engine.finish(link, with: error) } else { link.engine.fail(link, error) }
    }

    private func append(_ action: OutgoingBytes.Action) {
        if link.outgoing.withLock({ $0.append(action) }) == true { link.engine.write(link) }
    }

    private func completable(_ action: @escaping @Sendable (@escaping SocketCompletion) -> OutgoingBytes.Action) -> Completable {
        .create { [link, endpoint] send in
            let completion: SocketCompletion = { error in send(error.map { .error($0) } ?? .completed) }
            switch link.outgoing.withLock({ $0.append(action(completion)) }) {
            case true?: link.engine.write(link)
            case false?: break
            case nil: send(.error(TransportError.connectionLost(url: endpoint.description, reason: "it was closed")))
            }
            return Disposables.create()
        }
    }
}
