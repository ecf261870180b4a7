import Foundation
import NetNodes
import Synchronization
import TestSupport

/// The rates of sockets and WebSockets, and of Python's `websockets`, one after the other in one run.
///
/// The peer is the same for all: a blocking socket that sends prepared bytes, or counts those that it receives.
struct SocketRates {
    /// Of 16 bytes; a quarter as many of 1,024.
    let messages: Int

    func run() throws {
        // A multiple of what is written at a time.
        let bytes = messages / 128 * 65_536
        print("bytes a second")
        report("plain blocking sockets", try plain(bytes), "B")
        report("SocketNode receives", try socketReceives(bytes), "B")
        report("SocketNode sends 64 KB at a time", try socketSends(bytes / 65_536, size: 65_536) * 65_536, "B")
        print("messages a second")
        report("SocketNode sends 16 bytes", try socketSends(messages, size: 16), "")
        report("SocketNode, there and back, one at a time", try socketRoundTrips(messages / 100), "")
        for size in [16, 1_024] {
            let count = size == 16 ? messages : messages / 4
            try compare("sends \(size) bytes", try webSocketSends(count, size), size, count, python: Self.pythonSends)
            try compare("receives \(size) bytes", try webSocketReceives(count, size), size, count, python: Self.pythonReceives)
        }
        try compare("there and back, one at a time", try webSocketRoundTrips(messages / 100), 16, messages / 100, python: Self.pythonEchoes)
    }

    private func compare(
        _ what: String, _ ours: Double, _ size: Int, _ count: Int, python program: (URL, Int, Int) throws -> Double
    ) throws {
        report("WebSocketNode \(what)", ours, "")
        guard let python = NATSPython.interpreter else { return print("no .build/python (see .ci/python): websockets is left out") }
        let theirs = try program(python, size, max(1_000, count / 10))
        report("websockets \(what)", theirs, "")
        print(String(format: "    ours are %.1f times as many", ours / theirs))
    }

    private func report(_ name: String, _ rate: Double, _ unit: String) {
        let shown = unit.isEmpty ? Int(rate).formatted() : "\(Int(rate / 1e6).formatted()) M\(unit)"
        print("\(name.padding(toLength: 54, withPad: " ", startingAt: 0)) \(shown)")
    }
}

/// Bytes.
extension SocketRates {
    /// The most that can be had: blocking calls on both sides.
    private func plain(_ total: Int) throws -> Double {
        let peer = try RatePeer { $0.discard(total) }
        guard let connection = LoopbackConnection.connect(to: peer.port) else { throw RatePeer.Failed() }
        defer { connection.close() }
        let chunk = [UInt8](repeating: 0x78, count: 65_536)
        return try rate(of: total) {
            for _ in 0..<(total / chunk.count) { connection.write(chunk) }
            try peer.wait()
        }
    }

    private func socketReceives(_ total: Int) throws -> Double {
        let peer = try RatePeer { $0.write([UInt8](repeating: 0x78, count: 65_536), times: total / 65_536) }
        let done = DispatchSemaphore(value: 0)
        let count = Atomic(0)
        return try rate(of: total) {
            let subscription = SocketNode().stream(peer.endpoint).flatMap(\.received).subscribe(
                onNext: { if count.add($0.count, ordering: .relaxed).newValue == total { done.signal() } }, onError: { _ in done.signal() })
            done.wait()
            subscription.dispose()
            guard count.load(ordering: .relaxed) == total else { throw RatePeer.Failed() }
        }
    }

    private func socketSends(_ count: Int, size: Int) throws -> Double {
        let peer = try RatePeer { $0.discard(count * size) }
        let connection = try Opened(SocketNode().stream(peer.endpoint))
        defer { connection.close() }
        let element = Data(repeating: 0x78, count: size)
        return try rate(of: count) {
            try send(count, size, flush: { connection.value.flush() }) { connection.value.send(element) }
            try peer.wait()
        }
    }

    private func socketRoundTrips(_ count: Int) throws -> Double {
        let peer = try RatePeer { $0.echo() }
        let connection = try Opened(SocketNode().stream(peer.endpoint))
        defer { connection.close() }
        let (element, left, done) = (Data(repeating: 0x78, count: 16), Countdown(count), DispatchSemaphore(value: 0))
        let subscription = connection.value.received.subscribe(onNext: { _ in
            if left.countDown() { done.signal() } else { connection.value.send(element) }
        })
        defer { subscription.dispose() }
        return try rate(of: count) {
            connection.value.send(element)
            done.wait()
        }
    }
}

/// WebSockets.
extension SocketRates {
    private func webSocketSends(_ count: Int, _ size: Int) throws -> Double {
        let peer = try RatePeer.acceptingWebSockets { $0.discard(count * RatePeer.maskedSize(size)) }
        let connection = try Opened(WebSocketNode(keepAlive: nil).stream(peer.handshake))
        defer { connection.close() }
        let message = WebSocketMessage.binary(Data(repeating: 0x78, count: size))
        return try rate(of: count) {
            try send(count, size, flush: { connection.value.flush() }) { connection.value.send(message) }
            try peer.wait()
        }
    }

    private func webSocketReceives(_ count: Int, _ size: Int) throws -> Double {
        let peer = try RatePeer.sendingMessages(count, size)
        let (left, done) = (Countdown(count), DispatchSemaphore(value: 0))
        return try rate(of: count) {
            let subscription = WebSocketNode(keepAlive: nil).messages(peer.handshake)
                .subscribe(onNext: { _ in if left.countDown() { done.signal() } }, onError: { _ in done.signal() })
            done.wait()
            subscription.dispose()
            guard left.isEmpty else { throw RatePeer.Failed() }
        }
    }

    private func webSocketRoundTrips(_ count: Int) throws -> Double {
        let peer = try RatePeer.echoingMessages(16)
        let connection = try Opened(WebSocketNode(keepAlive: nil).stream(peer.handshake))
        defer { connection.close() }
        let message = WebSocketMessage.binary(Data(repeating: 0x78, count: 16))
        let (left, done) = (Countdown(count), DispatchSemaphore(value: 0))
        let subscription = connection.value.messages.subscribe(onNext: { _ in
            if left.countDown() { done.signal() } else { connection.value.send(message) }
        })
        defer { subscription.dispose() }
        return try rate(of: count) {
            connection.value.send(message)
            done.wait()
        }
    }
}

/// Python.
extension SocketRates {
    private static func pythonSends(_ python: URL, _ size: Int, _ count: Int) throws -> Double {
        let peer = try RatePeer.acceptingWebSockets { connection in
            guard connection.discard(count * RatePeer.maskedSize(size)) else { return false }
            // Python's clock stops at this message, when everything before it has arrived.
            return connection.write([0x82, 0x00])
        }
        return try run(python, peer, size, count, "for _ in range(count): await socket.send(message)\n        await socket.recv()")
    }

    private static func pythonReceives(_ python: URL, _ size: Int, _ count: Int) throws -> Double {
        try run(python, try RatePeer.sendingMessages(count, size), size, count, "for _ in range(count): await socket.recv()")
    }

    private static func pythonEchoes(_ python: URL, _ size: Int, _ count: Int) throws -> Double {
        let loop = "for _ in range(count):\n            await socket.send(message); await socket.recv()"
        return try run(python, try RatePeer.echoingMessages(size), size, count, loop)
    }

    private static func run(_ python: URL, _ peer: RatePeer, _ size: Int, _ count: Int, _ loop: String) throws -> Double {
        let program = """
            import asyncio, sys, time, websockets
            async def main(url, size, count):
                message = b"x" * size
                async with websockets.connect(url, compression=None, ping_interval=None, max_size=None) as socket:
                    start = time.perf_counter()
                    \(loop)
                    print(count / (time.perf_counter() - start), flush=True)
            asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
            """
        let output = try NATSPython.run(python, program, ["ws://127.0.0.1:\(peer.port)/", "\(size)", "\(count)"])
        guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw RatePeer.Failed() }
        return rate
    }
}

private func rate(of count: Int, _ body: () throws -> Void) throws -> Double {
    let start = ContinuousClock.now
    try body()
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
}

/// Sends in batches, the next when the one before the last has been written: so what is pending stays bounded, and never runs dry.
private func send(_ count: Int, _ size: Int, flush: () -> Completable, _ sendOne: () -> Bool) throws {
    let batch = max(1, 1_000_000 / (size + 16))
    var flushed: [DispatchSemaphore] = []
    for start in stride(from: 0, to: count, by: batch) {
        for _ in start..<min(count, start + batch) where !sendOne() { throw RatePeer.Failed() }
        let written = DispatchSemaphore(value: 0)
        _ = flush().subscribe { _ in written.signal() }
        flushed.append(written)
        if flushed.count > 2 { flushed.removeFirst().wait() }
    }
}

/// Counts down, from one thread at a time.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Counts one, and returns whether it was the last.
    func countDown() -> Bool { left.subtract(1, ordering: .relaxed).newValue == 0 }

    var isEmpty: Bool { left.load(ordering: .relaxed) == 0 }
}

/// A connection that a node has opened.
private struct Opened<Connection: Sendable> {
    let value: Connection
    private let subscription: any Disposable

    init(_ connections: Observable<Connection>) throws {
        let opened = DispatchSemaphore(value: 0)
        let slot = Mutex<Connection?>(nil)
        subscription = connections.subscribe(
            onNext: { connection in
                slot.withLock { $0 = connection }
                opened.signal()
            }, onError: { _ in opened.signal() })
        opened.wait()
        guard let connection = slot.withLock({ $0 }) else { throw RatePeer.Failed() }
        value = connection
    }

    func close() { subscription.dispose() }
}
