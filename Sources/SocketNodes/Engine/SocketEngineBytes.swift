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
        scheduleReading(link)
    }

    /// Continues reading, after a time that does not count as the peer's.
    func proceed(_ link: SocketLink, _ change: () -> Void) {
        change()
        link.recordActivity()
        makeReadable(link)
    }

    func readOnce(_ link: SocketLink) {
        link.isReadable = false
        if readInput(link) { makeReadable(link) } else { updateInterest(of: link) }
    }

    /// Reads once, and returns whether there may be more input that can be read now.
    private func readInput(_ link: SocketLink) -> Bool {
        guard canRead(link), let channel = link.channel else { return false }
        switch link.early.take() ?? input(of: channel, link) {
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
            // A short read has emptied a plain socket; TLS may hold more input that the socket does not show.
            return data.count == SocketLink.readSize || link.endpoint.security != .plain
        }
    }

    /// Reads once; returns `nil` if there is no input.
    func input(of channel: any ByteChannel, _ link: SocketLink) -> SocketLink.Input? {
        switch channel.read(into: buffer) {
        case .wouldBlock: nil
        case .count(0): .end
        case .count(let count): .bytes(buffer.baseAddress.map { Data(bytes: $0, count: count) } ?? Data())
        case .failed(let code): .failure(error(code, of: link))
        }
    }

    private func canRead(_ link: SocketLink) -> Bool {
        guard case .open = link.phase, !link.isEndOfInput else { return false }
        if link.receiver?.isDisposed == true { link.receiver = nil }
        guard let receiver = link.receiver else { return link.isClosing }
        guard receiver.awaitElement() else { return false }
        receiver.parkIfSuspended { [self] in resume(receiver, of: link) }
        return receiver.isReady
    }

    /// Returns whether the arrival of input is to be reported: even while an element is on its way, because it is usually taken by then.
    private func wantsInput(_ link: SocketLink) -> Bool {
        guard case .open = link.phase, !link.isEndOfInput, let receiver = link.receiver, !receiver.isDisposed else { return canRead(link) }
        receiver.parkIfSuspended { [self] in resume(receiver, of: link) }
        return receiver.wantsInput
    }

    /// Ends the input: the peer has closed, and buffered bytes are still written.
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
        if wantsInput(link) { interest.insert(.read) }
        if link.isWaitingToWrite { interest.insert(.write) }
        watch(link, for: interest)
    }
}

/// Writing.
extension SocketEngine {
    func writeOutput(_ link: SocketLink) {
        var written = 0
        while case .open = link.phase, !link.isWaitingToWrite, let channel = link.channel {
            // A sender that is as fast as the socket must not keep the thread from the other connections.
            guard written < SocketLink.turnSize else { return write(link) }
            if let action = link.outgoing.withLock({ $0.nextAction() }) {
                perform(action, on: link)
                continue
            }
            guard link.fetchOutput() else {
                guard link.outgoing.withLock({ $0.hasDueAction }) else { return }
                continue
            }
            let transfer = link.unsent.withUnsafeBytes { bytes in
                channel.write(UnsafeRawBufferPointer(rebasing: bytes[link.unsentStart...].prefix(SocketLink.writeSize)))
            }
            switch transfer {
            case .count(let count):
                link.didWrite(count)
                written += count
            case .wouldBlock:
                link.isWaitingToWrite = true
                updateInterest(of: link)
            case .failed(let code): end(link, .error(error(code, of: link)))
            }
        }
    }

    private func perform(_ action: OutgoingBytes.Action, on link: SocketLink) {
        switch action {
        case .flush(let completion): completion(nil)
        case .upgrade(let options, let completion): upgrade(link, options, completion)
        case .closeSending, .close:
            // In libcurl, TLS has no half-closed state.
            if link.isEndOfInput || link.endpoint.security != .plain { return end(link, .completed) }
            link.channel?.shutDownWriting()
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
