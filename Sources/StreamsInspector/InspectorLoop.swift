import CInspector
import Foundation
import Streams

/// The thread of the server, which waits for all clients at once, so that none of them can occupy it.
///
/// A client has 1,024 bytes for its request. The time that the thread takes to make answers does not count as a delay of clients.
struct InspectorLoop: Sendable {
    /// The time that a client has.
    struct Patience: Sendable {
        /// The nanoseconds within which something must be sent or received.
        var idle: UInt64 = 5_000_000_000
        /// The nanoseconds for a request and its answer.
        var total: UInt64 = 60_000_000_000
    }

    /// The number of clients that are served at once; others wait until one of them has its answer.
    private static let clientLimit = 4

    private let listener: Int32
    private let stop: Waker
    private let streams: InspectedStreams
    private let patience: Patience

    init(_ listener: Int32, until stop: Waker, _ streams: InspectedStreams, patience: Patience = Patience()) {
        (self.listener, self.stop, self.streams, self.patience) = (listener, stop, streams, patience)
    }

    /// Serves until it is woken.
    func run() {
        var clients: [Client] = []
        defer { for descriptor in clients.map(\.descriptor) + [listener] { close(descriptor) } }
        while case .ready(let ready) = awaitNext(of: clients) {
            let now = MonotonicTime.now
            for index in clients.indices where ready.contains(clients[index].descriptor) { serve(&clients[index], at: now) }
            // A large snapshot takes seconds, which are not the clients' delay.
            let taken = MonotonicTime.now - now
            for index in clients.indices { clients[index].excuse(taken) }
            clients.removeAll { client in
                let isOver = client.isOver || now > client.progress + patience.idle || now > client.begun + patience.total
                if isOver { close(client.descriptor) }
                return isOver
            }
            if ready.contains(listener) { accept(into: &clients) }
        }
    }

    /// Waits for the clients, for others while there is room for them, and for the time at which a client may be too late.
    private func awaitNext(of clients: [Client]) -> Waker.Waiting {
        let receiving = clients.filter { !$0.isAnswered }.map(\.descriptor)
        return stop.wait(
            reading: clients.count < Self.clientLimit ? receiving + [listener] : receiving,
            writing: clients.filter(\.isAnswered).map(\.descriptor), timeout: clients.isEmpty ? nil : .milliseconds(200))
    }

    private func accept(into clients: inout [Client]) {
        let descriptor = PrivateDescriptors.accept(listener)
        guard descriptor >= 0 else {
            // Without a descriptor the client stays in the queue, and the loop would not sleep.
            if errno == EMFILE || errno == ENFILE { usleep(100_000) }
            return
        }
        // The directory admits nobody else; this check also holds if the mode of the directory is changed.
        guard streams_peer_user(descriptor) == Int64(getuid()) else {
            close(descriptor)
            return
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        clients.append(Client(descriptor))
    }

    private func serve(_ client: inout Client, at now: UInt64) {
        client.progress = now
        guard client.isAnswered || client.receive() else { return }
        if !client.isAnswered { client.answer = answer(to: client.request) }
        client.transmit()
    }

    private func answer(to request: String?) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func line(_ answer: some Encodable) -> [UInt8] { Array((try? encoder.encode(answer)) ?? Data()) + [UInt8(ascii: "\n")] }
        guard let request else { return line(InspectorSocket.failure("the request is too long")) }
        switch InspectorProtocol.Request(request) {
        case .snapshot(let page): return line(streams.snapshot(page))
        case .counts: return line(streams.counts())
        case .version:
            return line(
                InspectorProtocol.Version(
                    process: getpid(), program: ProcessInfo.processInfo.processName, showsElements: Inspector.showsElements))
        case nil: return line(InspectorSocket.failure("unknown request"))
        }
    }

    /// A connection.
    private struct Client {
        let descriptor: Int32
        private(set) var begun = MonotonicTime.now
        var progress = MonotonicTime.now
        var isOver = false
        /// The answer that is being sent.
        var answer: [UInt8] = []
        private var sent = 0
        private var received: [UInt8] = []

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        var isAnswered: Bool { !answer.isEmpty }

        /// Excludes a time for which the thread was busy.
        mutating func excuse(_ time: UInt64) {
            begun += time
            progress += time
        }

        /// The line that was received; `nil` if it is too long.
        var request: String? {
            guard let end = received.firstIndex(of: UInt8(ascii: "\n")), end < InspectorProtocol.requestLimit else { return nil }
            return String(decoding: received[..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }

        /// Receives the available bytes; returns whether they are a request, or too long for one.
        mutating func receive() -> Bool {
            var buffer = [UInt8](repeating: 0, count: InspectorProtocol.requestLimit)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                isOver = count == 0 || errno != EAGAIN && errno != EINTR
                return false
            }
            received += buffer[..<count]
            return received.count > InspectorProtocol.requestLimit || received.contains(UInt8(ascii: "\n"))
        }

        /// Sends as many bytes as the socket takes.
        mutating func transmit() {
            let count = answer[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, InspectorSocket.withoutSignal)
            }
            guard count >= 0 else {
                isOver = errno != EAGAIN && errno != EINTR
                return
            }
            sent += count
            isOver = sent == answer.count
        }
    }
}
