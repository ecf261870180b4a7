import Foundation
internal import Sockets

/// The connection of one client. It reads requests, has them handled one after another, and writes the responses.
///
/// `run()` is its only loop: it does everything that can be done now, and returns when it has to wait for the client, a handler or a timer.
/// Reading continues while a response is sent, up to a limit of pipelined bytes, so that a disconnect is noticed immediately.
///
/// `@unchecked Sendable`: all state is confined to the server's queue. Handlers, timers and feeds call back on that queue.
final class Connection: @unchecked Sendable {
    private static let pipelineLimit = 256 << 10
    private static let lingerLimit = 4 << 20
    private static let lingerTime = Duration.seconds(1)
    private static let maximumReadsPerWakeup = 8

    let number: Int
    private let socket: any ByteSocket
    private let services: Services
    private var parser: RequestParser
    private var exchange: ServedExchange?
    private var output = OutputBuffer()
    private var timer: (any Disposable)?
    private var isRunning = false
    private var isClosed = false
    private var isInputClosed = false
    private var isInputMalformed = false
    private var isLingering = false
    private var lingersUntil = 0
    /// The time at which the client last sent or received bytes.
    private var lastActivity: Duration
    /// The time at which the first byte of the incomplete request arrived.
    private var requestStart: Duration?
    /// The time by which the client must have made progress; `nil` while the client waits for the server.
    private(set) var deadline: Duration?
    private var bytesReceived = 0
    private var bytesSent = 0

    init(number: Int, socket: any ByteSocket, services: Services) {
        self.number = number
        self.socket = socket
        self.services = services
        lastActivity = services.queue.now
        let limits = services.limits
        parser = RequestParser(
            limits: .init(lineBytes: limits.requestLineBytes, headerBytes: limits.headerBytes, bodyBytes: limits.bodyBytes),
            isUpload: services.isUpload)
    }

    func start() {
        socket.startReading { [weak self] in self?.read() }
        updateDeadline()
    }

    func close(_ reason: LoopbackServer.ClosingReason) {
        guard !isClosed else { return }
        isClosed = true
        let interrupted = exchange
        exchange = nil
        timer?.dispose()
        timer = nil
        socket.close()
        interrupted?.cancel()
        services.onClosed(
            LoopbackServer.ClosedConnection(
                connection: number, reason: reason, interrupted: interrupted?.request, bytesReceived: bytesReceived, bytesSent: bytesSent))
    }

    private func read() {
        for _ in 0..<Self.maximumReadsPerWakeup where !isClosed && !isInputClosed {
            switch socket.read(into: services.readBuffer.bytes) {
            case .count(0): isInputClosed = true
            case .count(let count):
                receive(count)
                if count < services.readBuffer.bytes.count { return run() }
            case .wouldBlock: return run()
            case .failed: return close(.client)
            }
        }
        run()
    }

    private func receive(_ count: Int) {
        bytesReceived += count
        lastActivity = services.queue.now
        if isLingering { return }
        parser.append(UnsafeRawBufferPointer(rebasing: services.readBuffer.bytes[..<count]))
    }

    private func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !isClosed, !isLingering {
            if exchange == nil, !beginNext() { break }
            receiveUpload()
            exchange?.input?.take?(&parser)
            guard output.isEmpty, timer == nil, let action = exchange?.delivery?.next(), perform(action) else { break }
        }
        updateReadingAndDeadline()
    }

    /// Nothing can be done now: decides whether anything can still happen, and whether to continue reading.
    private func updateReadingAndDeadline() {
        guard !isClosed else { return }
        if isInputClosed, output.isEmpty { return close(isLingering ? .server : .client) }
        if isLingering, bytesReceived > lingersUntil { return close(.server) }
        let isPipelineFull = exchange != nil && parser.bufferedBytes >= Self.pipelineLimit
        if isPipelineFull || isInputClosed { socket.pauseReading() } else { socket.resumeReading() }
        updateDeadline()
    }

    /// Sets the deadline: the client has one only while the server waits for it.
    private func updateDeadline() {
        let limits = services.limits
        let isInsideRequest = exchange == nil && parser.isInsideRequest && !isLingering
        requestStart = isInsideRequest ? requestStart ?? services.queue.now : nil
        let awaitsClient = exchange.map { $0.upload?.awaitsBytes ?? false } ?? true
        guard !isLingering, awaitsClient || !output.isEmpty else { return deadline = nil }
        let idleEnd = lastActivity + limits.idleTime
        let end = requestStart.map { min(idleEnd, $0 + limits.requestTime) } ?? idleEnd
        deadline = end
        services.watch(end)
    }

    /// Closes the connection if its deadline has passed.
    func checkDeadline(_ now: Duration) {
        // An upload may have been suspended meanwhile.
        if exchange?.upload != nil { run() }
        guard let deadline, deadline <= now, !isClosed else { return }
        guard requestStart != nil else { return close(.idle) }
        reject(.tooSlow)
        run()
    }

    /// Begins the next request, and returns whether there was one, or other work.
    private func beginNext() -> Bool {
        switch parser.next() {
        case .needsInput:
            return false
        case .expectsContinue:
            write(ResponseHead.interim(100))
        case .request(let parsed):
            begin(services.recorder.record(parsed, connection: number))
        case .upload(let parsed):
            if parsed.expectsContinue { write(ResponseHead.interim(100)) }
            var request = services.recorder.record(parsed, connection: number)
            request.upload = Upload(services.queue) { [weak self] in
                // The time of a suspension does not count as idle.
                guard let self else { return }
                lastActivity = services.queue.now
                run()
            }
            begin(request)
        case .failed(let failure):
            reject(failure)
        case .bytes, .bodyEnd:
            // This is the rest of an upload that was already answered: the connection is closed after the response.
            break
        }
        return true
    }

    /// Passes on the received bytes of a body, while its subscriber is not suspended.
    private func receiveUpload() {
        guard let upload = exchange?.upload, !upload.hasEnded else { return }
        do throws(RequestFailure) {
            try upload.take(from: &parser)
        } catch {
            let failed = exchange
            guard failed?.delivery == nil else { return close(.aborted) }
            reject(error)
            failed?.cancel()
        }
    }

    private func begin(_ request: LoopbackServer.Request) {
        exchange = ServedExchange(request: request)
        let responses = ServerDrainQueue<LoopbackServer.Response>(queue: services.queue) { [weak self] response in
            self?.reply(response, to: request)
        }
        let cancel = services.respond(request) { responses.enqueue($0) }
        if exchange?.request?.number == request.number { exchange?.cancelHandler = cancel } else { cancel() }
    }

    private func reject(_ failure: RequestFailure) {
        services.recorder.recordMalformedRequest()
        isInputMalformed = true
        let response = LoopbackServer.Response.text(failure.reason + "\n", status: failure.status).header("Connection", "close")
        exchange = ServedExchange(request: nil)
        exchange?.delivery = Transmission(refusal: response)
    }

    private func reply(_ response: LoopbackServer.Response, to request: LoopbackServer.Request) {
        guard let current = exchange, current.request?.number == request.number, current.delivery == nil else { return }
        if let field = response.headers.firstUnwritable {
            return deliver(.text("The header field \(field.name.debugDescription) cannot be written.\n", status: 500), to: request)
        }
        guard response.status < 200, response.status != 101 else { return deliver(response, to: request) }
        write(ResponseHead.interim(response.status, response.headers))
    }

    private func deliver(_ response: LoopbackServer.Response, to request: LoopbackServer.Request) {
        exchange?.unstartedBody = response.body.start
        if exchange?.unstartedBody != nil { exchange?.feed = feed(for: request) }
        // The rest of the body is not read.
        let response = exchange?.isUploadUnfinished == true ? response.header("Connection", "close") : response
        let delivery = Transmission(response, for: request, feed: exchange?.feed)
        exchange?.delivery = delivery
        run()
    }

    private func feed(for request: LoopbackServer.Request) -> BodyFeed {
        BodyFeed(
            limit: services.limits.streamBufferBytes, queue: services.queue, wakeReader: { [weak self] in self?.run() },
            onOverflow: { [weak self] in
                guard let self, exchange?.request?.number == request.number else { return }
                close(.aborted)
            })
    }

    /// Performs one step of a response, and returns whether the next can follow immediately.
    private func perform(_ action: Transmission.Action) -> Bool {
        switch action {
        case .send(let bytes): write(bytes)
        case .wait(let duration): wait(duration)
        case .awaitBody: return startBody()
        case .finish(let keepsConnection): finish(keepsConnection: keepsConnection)
        case .end(.close): close(.fault)
        case .end(.reset): reset()
        case .end(.hang): exchange?.delivery = nil
        case .abort: close(.aborted)
        }
        return true
    }

    private func wait(_ duration: Duration) {
        timer = services.queue.timer(after: duration) { [weak self] in
            self?.timer = nil
            self?.run()
        }
    }

    private func startBody() -> Bool {
        guard let start = exchange?.unstartedBody, let feed = exchange?.feed else { return false }
        exchange?.unstartedBody = nil
        let input = start(feed)
        guard exchange?.feed === feed else {
            input.stop()
            return true
        }
        exchange?.input = input
        return true
    }

    private func finish(keepsConnection: Bool) {
        let finished = exchange
        exchange = nil
        let isUploadUnfinished = finished?.isUploadUnfinished ?? false
        finished?.cancel()
        guard !keepsConnection, !isClosed else { return }
        // With unread input a plain close would send a reset, which could overtake the response.
        guard isInputMalformed || isUploadUnfinished || parser.bufferedBytes > 0 else { return close(.server) }
        isLingering = true
        lingersUntil = bytesReceived + Self.lingerLimit
        socket.shutDownWriting()
        timer = services.queue.timer(after: Self.lingerTime) { [weak self] in self?.close(.server) }
    }

    private func reset() {
        socket.reset()
        close(.fault)
    }

    private func write(_ bytes: Data) {
        output.append(bytes)
        flush()
    }

    private func flush() {
        while !isClosed, !output.isEmpty {
            switch output.withBytes({ socket.write($0) }) {
            case .count(let count):
                bytesSent += count
                lastActivity = services.queue.now
                output.drop(count)
            case .wouldBlock:
                return socket.startWriting { [weak self] in self?.resumeWriting() }
            case .failed:
                return close(.client)
            }
        }
    }

    private func resumeWriting() {
        socket.stopWriting()
        flush()
        run()
    }
}
