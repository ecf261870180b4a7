import Dispatch
import Foundation
internal import Sockets
import Streams

/// The listening socket and the connections of a server.
///
/// `@unchecked Sendable`: all mutable state is confined to the server's queue.
final class ServerEngine: @unchecked Sendable {
    let queue = ServerQueue()
    let recorder: Recorder
    private let limits: LoopbackServer.Limits
    private let respond: Responder
    private let isUpload: @Sendable (MessageHead) -> Bool
    private let accept: @Sendable (Int32) -> SocketCalls.Acceptance
    private let readBuffer = ReadBuffer()
    private let openTables = DispatchGroup()
    private var table: SocketTable?
    private var listener: Listener?
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    /// The timer that fires when the first deadline may have passed. It is not moved when the client is in time, but scheduled anew after
    /// it has fired.
    private var watch: (timer: any Disposable, end: Duration)?

    init(
        limits: LoopbackServer.Limits, recorder: Recorder, respond: @escaping Responder,
        isUpload: @escaping @Sendable (MessageHead) -> Bool,
        accept: @escaping @Sendable (Int32) -> SocketCalls.Acceptance
    ) {
        self.limits = limits
        self.recorder = recorder
        self.respond = respond
        self.isUpload = isUpload
        self.accept = accept
    }

    /// Starts to listen and returns the port.
    func start(port: Int) throws -> Int {
        guard DispatchDescriptors.open() else {
            throw LoopbackServer.Failure.cannotListen(port: port, reason: SocketCalls.reason(EMFILE))
        }
        queue.prepare()
        return try queue.runAndWait {
            guard listener == nil else { throw LoopbackServer.Failure.alreadyRunning }
            let (descriptor, port) = try SocketCalls.listen(port: port)
            guard let table = SocketTable(queue: queue, onClosed: { [openTables] in openTables.leave() }) else {
                SocketCalls.closeDescriptor(descriptor)
                throw LoopbackServer.Failure.cannotListen(port: port, reason: SocketCalls.reason(EMFILE))
            }
            openTables.enter()
            self.table = table
            let listener = Listener(
                socket: adopt(descriptor, table), queue: queue, accept: accept,
                onAccepted: { [weak self] in self?.open($0) },
                onExhausted: { [recorder] in recorder.recordAcceptFailure() })
            self.listener = listener
            listener.start()
            return port
        }
    }

    /// Closes everything. When it returns, all sockets are closed; if it is called on the server's queue, they are closed soon after.
    func stop() {
        queue.runAndWait { closeAll() }
        if !queue.isCurrent { openTables.wait() }
    }

    /// Closes everything asynchronously.
    func stopAsynchronously() {
        // Without the descriptors of Dispatch it has never been started.
        guard DispatchDescriptors.open() else { return }
        queue.run { self.closeAll() }
    }

    /// Closes the open connections and keeps listening.
    func closeConnections() {
        queue.runAndWait {
            for connection in connections.values { connection.close(.stopped) }
        }
    }

    private func closeAll() {
        listener?.close()
        listener = nil
        watch?.timer.dispose()
        watch = nil
        for connection in connections.values { connection.close(.stopped) }
        table?.close()
        table = nil
    }

    private func adopt(_ descriptor: Int32, _ table: SocketTable) -> StreamSocket {
        StreamSocket(descriptor, table: table) { [weak self] in self?.listener?.retry() }
    }

    private func open(_ descriptor: Int32) {
        guard listener != nil, let table else { return SocketCalls.closeDescriptor(descriptor) }
        open(adopt(descriptor, table))
    }

    /// Serves a connected client.
    func open(_ socket: any ByteSocket) {
        lastConnection += 1
        let services = Connection.Services(
            queue: queue, limits: limits, recorder: recorder, readBuffer: readBuffer, respond: respond, isUpload: isUpload,
            onClosed: { [weak self] in self?.closed($0) }, watch: { [weak self] in self?.watch(until: $0) })
        let connection = Connection(number: lastConnection, socket: socket, services: services)
        connections[lastConnection] = connection
        recorder.recordOpened(lastConnection)
        connection.start()
    }

    private func watch(until end: Duration) {
        if let watch, watch.end <= end { return }
        watch?.timer.dispose()
        let timer = queue.timer(after: max(.zero, end - queue.now)) { [weak self] in self?.checkDeadlines() }
        watch = (timer, end)
    }

    private func checkDeadlines() {
        watch?.timer.dispose()
        watch = nil
        let now = queue.now
        for connection in connections.values { connection.checkDeadline(now) }
        if let next = connections.values.compactMap(\.deadline).min() { watch(until: next) }
    }

    private func closed(_ connection: LoopbackServer.ClosedConnection) {
        connections[connection.connection] = nil
        recorder.recordClosed(connection)
    }
}

extension Connection {
    /// The services of the server that a connection uses.
    struct Services: Sendable {
        let queue: ServerQueue
        let limits: LoopbackServer.Limits
        let recorder: Recorder
        let readBuffer: ReadBuffer
        let respond: Responder
        let isUpload: @Sendable (MessageHead) -> Bool
        let onClosed: @Sendable (LoopbackServer.ClosedConnection) -> Void
        /// Requests a call of `checkDeadline` at that instant or earlier.
        let watch: @Sendable (Duration) -> Void
    }
}
