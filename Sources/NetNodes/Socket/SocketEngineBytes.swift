internal import CLibcurl
import Foundation
internal import Sockets
import Streams

/// Reading.
extension SocketEngine {
    func add(_ receiver: SocketReceiver, to link: SocketLink) {
        if let ending = link.ending { return receiver.end(ending) }
        if link.isEndOfInput { return receiver.end(.completed) }
        if let other = link.receiver, !other.isDisposed {
            let reason = "its bytes have a subscriber already"
            return receiver.end(.error(TransportError.other(code: 0, reason: reason, url: link.endpoint.description)))
        }
        link.receiver = receiver
        makeReadable(link)
    }

    func makeReadable(_ link: SocketLink) {
        guard !link.isReadable, case .open = link.phase else { return }
        link.isReadable = true
        readable.append(link)
    }

    /// Reading continues, after a time that was not the peer's.
    func proceed(_ link: SocketLink, _ change: () -> Void) {
        change()
        link.recordActivity()
        makeReadable(link)
    }

    /// Reads once, and returns whether there may be more that can be read now.
    func readInput(_ link: SocketLink) -> Bool {
        guard canRead(link), let handle = link.handle else { return false }
        switch link.early.take() ?? input(of: handle, link) {
        case nil: return false
        case .end:
            endInput(of: link)
            return false
        case .failure(let error):
            end(link, .error(error))
            return false
        case .bytes(let data):
            link.recordActivity()
            guard let receiver = link.receiver else { return true }
            receiver.deliver(data) { [self] in taken(by: receiver, of: link) }
            // A short read has emptied a plain socket; TLS may hold more that the socket does not show.
            return data.count == Self.readSize || link.endpoint.security != .plain
        }
    }

    /// Reads once; `nil` if there is nothing.
    func input(of handle: SocketHandle, _ link: SocketLink) -> SocketLink.Input? {
        switch handle.receive(into: buffer) {
        case .blocked: nil
        case .bytes(0): .end
        case .bytes(let count): .bytes(buffer.baseAddress.map { Data(bytes: $0, count: count) } ?? Data())
        case .failed(let code): .failure(handle.error(code, at: link.endpoint))
        }
    }

    private func canRead(_ link: SocketLink) -> Bool {
        guard case .open = link.phase, !link.isEndOfInput else { return false }
        if link.receiver?.isDisposed == true { link.receiver = nil }
        guard let receiver = link.receiver else { return link.isClosing }
        receiver.parkIfSuspended { [self] in resume(receiver, of: link) }
        return receiver.isReady
    }

    /// The peer has closed: what is buffered is still written.
    private func endInput(of link: SocketLink) {
        link.isEndOfInput = true
        let receiver = link.receiver
        link.receiver = nil
        receiver?.end(.completed)
        _ = link.outgoing.withLock { $0.append(.close) }
        if link.outgoing.withLock({ $0.count }) == 0 { end(link, .completed) } else { writeOutput(link) }
    }

    func updateInterest(of link: SocketLink) {
        guard case .open = link.phase else { return }
        var interest = SocketSet.Interest(rawValue: 0)
        if canRead(link) { interest.insert(.read) }
        if link.isWaitingToWrite { interest.insert(.write) }
        multi?.sockets.watch(link.socket, for: interest)
    }
}

/// Writing.
extension SocketEngine {
    func writeOutput(_ link: SocketLink) {
        var written = 0
        while case .open = link.phase, !link.isWaitingToWrite, let handle = link.handle {
            // A sender that is as fast as the socket must not keep the thread from the other connections.
            guard written < Self.turnSize else { return write(link) }
            if let action = link.outgoing.withLock({ $0.nextAction() }) {
                perform(action, on: link)
                continue
            }
            guard link.fetchOutput() else {
                guard link.outgoing.withLock({ $0.hasDueAction }) else { return }
                continue
            }
            let outcome = link.unsent.withUnsafeBytes { bytes in
                handle.send(UnsafeRawBufferPointer(rebasing: bytes[link.unsentStart...].prefix(Self.writeSize)))
            }
            switch outcome {
            case .bytes(let count):
                link.didWrite(count)
                written += count
            case .blocked:
                link.isWaitingToWrite = true
                updateInterest(of: link)
            case .failed(let code): end(link, .error(handle.error(code, at: link.endpoint)))
            }
        }
    }

    private func perform(_ action: OutgoingBytes.Action, on link: SocketLink) {
        switch action {
        case .flush(let completion): completion(nil)
        case .upgrade(let options, let completion): upgrade(link, options, completion)
        case .closeSending, .close:
            // TLS of libcurl has no half-closed state.
            if link.isEndOfInput || link.endpoint.security != .plain { return end(link, .completed) }
            shutdown(link.socket, Int32(SHUT_WR))
            guard case .close = action else { return }
            link.isClosing = true
            link.startCloseLimit()
            makeReadable(link)
        }
    }
}

extension OutgoingBytes.Action {
    var completion: SocketCompletion? {
        switch self {
        case .flush(let completion), .upgrade(_, let completion): completion
        case .closeSending, .close: nil
        }
    }
}
