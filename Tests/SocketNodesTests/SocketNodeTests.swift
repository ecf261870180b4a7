import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import SocketNodes

@Suite("Sockets", .countsResources, .blocksThread)
struct SocketNodeTests {
    @Test func `Bytes go both ways, and flush completes when they are written`() throws {
        let server = try ScriptedServer { $0.echo() }
        let socket = try OpenSocket(server.endpoint)
        defer { socket.dispose() }
        #expect(!socket.connection.isSecure)
        for part in ["one ", "two ", "three"] { #expect(socket.connection.send(Data(part.utf8))) }
        #expect(socket.connection.flush().asObservable().ended().error == nil)
        #expect(socket.connection.pendingBytes == 0)
        #expect(socket.connection.text(count: 13) == "one two three")
    }

    @Test func `Large sends in both directions at once arrive whole and in order`() throws {
        let server = try ScriptedServer { $0.echo() }
        let socket = try OpenSocket(server.endpoint, node: SocketNode(overflow: .unbounded))
        defer { socket.dispose() }
        let block = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let digests = Slot<Data>()
        let subscription = socket.connection.received.scan(into: Data()) { $0.append($1) }.filter { $0.count == block.count * 5 }
            .subscribe(onNext: { digests.fill($0) })
        for _ in 0..<5 { socket.connection.send(block) }
        #expect(digests.wait() == (0..<5).reduce(into: Data()) { all, _ in all.append(block) })
        subscription.dispose()
    }

    @Test func `Each subscription connects anew, and disposing closes the connection`() throws {
        let closed = Slot<Bool>()
        let server = try ScriptedServer { connection in closed.fill(connection.waitForClose()) }
        let node = SocketNode().stream(server.endpoint)
        #expect(server.connectionCount == 0)
        let opened = Slot<Bool>()
        let subscription = node.subscribe(onNext: { _ in opened.fill(true) })
        #expect(opened.wait() == true)
        subscription.dispose()
        #expect(closed.wait() == true)
        #expect(server.connectionCount == 1)
    }

    @Test func `The peer's orderly close completes the bytes and the connection`() throws {
        let server = try ScriptedServer { connection in connection.send("bye") }
        let socket = try OpenSocket(server.endpoint)
        let received = socket.connection.received.ended()
        #expect(received.elements.reduce(Data(), +) == Data("bye".utf8))
        #expect(received.error == nil)
        #expect(!received.isLate)
        try socket.ending()
        #expect(!socket.connection.send(Data("late".utf8)))
        #expect(socket.connection.flush().asObservable().ended().error is TransportError)
        #expect(socket.connection.received.ended().error == nil)
    }

    @Test func `What has arrived is received in elements of up to 64 KB`() throws {
        let hasSent = Slot<Bool>()
        let server = try ScriptedServer { connection in
            connection.send([UInt8](repeating: 1, count: 200_000))
            hasSent.fill(true)
            _ = connection.waitForClose()
        }
        let socket = try OpenSocket(server.endpoint)
        #expect(hasSent.wait() == true)
        let counts = Lock([Int]())
        let received = socket.connection.received.do(onNext: { data in counts.withLock { $0.append(data.count) } })
            .scan(0) { $0 + $1.count }.filter { $0 == 200_000 }.take(1).ended()
        #expect(received.elements == [200_000])
        #expect(counts.withLock { $0 }.contains { $0 > 16 * 1024 })
        #expect(counts.withLock { $0 }.allSatisfy { $0 <= 64 * 1024 })
        socket.dispose()
    }

    @Test func `A reset fails the bytes and the connection with a typed error`() throws {
        let server = try ScriptedServer { connection in
            _ = connection.readAvailable()
            connection.reset()
        }
        let socket = try OpenSocket(server.endpoint)
        socket.connection.send(Data("x".utf8))
        let error = socket.connection.received.ended().error as? TransportError
        #expect(error?.kind == "TransportError.connectionLost")
        #expect(error?.description.contains("tcp://127.0.0.1:\(server.port)") == true)
        #expect(throws: TransportError.self) { try socket.ending() }
    }

    @Test func `close writes what was sent, tells the peer, and completes when the peer has closed`() throws {
        let read = Slot<String>()
        let server = try ScriptedServer { connection in
            var all: [UInt8] = []
            while let bytes = connection.readAvailable() { all += bytes }
            read.fill(String(decoding: all, as: UTF8.self))
        }
        let socket = try OpenSocket(server.endpoint)
        socket.connection.send(Data("last words".utf8))
        socket.connection.close()
        #expect(read.wait() == "last words")
        try socket.ending()
    }

    @Test func `After closeSending the peer's bytes are still received`() throws {
        let server = try ScriptedServer { connection in
            var count = 0
            while let bytes = connection.readAvailable() { count += bytes.count }
            connection.send("\(count) bytes")
        }
        let socket = try OpenSocket(server.endpoint)
        Observable.from(["ab", "cde"]).map { Data($0.utf8) }.subscribe { event in
            if case .next(let data) = event { socket.connection.send(data) } else { socket.connection.closeSending() }
        }.dispose()
        #expect(socket.connection.received.ended().elements.reduce(Data(), +) == Data("5 bytes".utf8))
        try socket.ending()
    }

    @Test(arguments: [false, true]) func `What is not consumed is not read`(isSuspended: Bool) throws {
        let server = try EagerServer(sending: [UInt8](repeating: 0x61, count: 100_000), times: 600) { _ in }
        let socket = try OpenSocket(server.server.endpoint)
        let (release, isWhole) = (Slot<Bool>(), Slot<Bool>())
        let taken = Atomic<Int>.Reference(0)
        let bytes = socket.connection.received(on: isSuspended ? nil : SerialDispatchQueueScheduler(qos: .userInitiated))
        let subscriber = SuspendingSubscriber(to: bytes, isSuspended: isSuspended) { data in
            if !isSuspended { _ = release.wait() }
            if taken.value.add(data.count, ordering: .relaxed).newValue >= 60_000_000 { isWhole.fill(true) }
            return false
        }
        // The other sockets of the process go on meanwhile.
        let echo = try ScriptedServer { $0.echo() }
        let other = try OpenSocket(echo.endpoint)
        other.connection.send(Data("x".utf8))
        #expect(other.connection.text(count: 1) == "x")
        other.dispose()
        #expect(settled { server.sent } < 40_000_000)
        #expect(taken.value.load(ordering: .relaxed) == 0)
        release.fill(true)
        subscriber.resume()
        #expect(isWhole.wait() == true)
        subscriber.dispose()
        socket.dispose()
    }

    @Test(arguments: [false, true]) func `Suspended and resumed at every piece, it delivers every byte`(isElsewhere: Bool) throws {
        let server = try ScriptedServer { connection in
            for index in 0..<1000 { connection.send([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 5000)) }
        }
        let socket = try OpenSocket(server.endpoint)
        let queue = isElsewhere ? SerialDispatchQueueScheduler(qos: .userInitiated) : nil
        let subscriber = SuspendingSubscriber.suspendedAlways(to: socket.connection.received(on: queue))
        #expect(subscriber.completes() == true)
        #expect(subscriber.mostAtOnce == 1)
        let received = subscriber.elements.reduce(into: Data()) { $0 += $1 }
        #expect(received.count == 5_000_000)
        #expect(received.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0 / 5000) })
        subscriber.dispose()
        try socket.ending()
    }

    @Test func `A second subscriber at the same time fails, a later one continues behind the first`() throws {
        let server = try ScriptedServer { $0.echo() }
        let socket = try OpenSocket(server.endpoint)
        defer { socket.dispose() }
        let first = socket.connection.received.subscribe(onNext: { _ in })
        #expect(socket.connection.received.ended().error is TransportError)
        first.dispose()
        socket.connection.send(Data("abc".utf8))
        #expect(socket.connection.text(count: 3) == "abc")
        socket.connection.send(Data("def".utf8))
        #expect(socket.connection.text(count: 3) == "def")
    }

    @Test(
        arguments: [
            SocketConnection.Endpoint(host: "", port: 1), SocketConnection.Endpoint(host: "a b", port: 1),
            SocketConnection.Endpoint(host: "user@host", port: 1),
            SocketConnection.Endpoint(host: "host/path", port: 1), SocketConnection.Endpoint(host: "host\r\nx", port: 1),
            SocketConnection.Endpoint(host: "host", port: 0),
            SocketConnection.Endpoint(host: "host", port: 65_536), SocketConnection.Endpoint(host: "host", port: -1),
            SocketConnection.Endpoint(host: "host", port: 1, security: .tls(TLSOptions(serverName: "a/b"))),
        ])
    func `An endpoint that cannot be is a typed error`(endpoint: SocketConnection.Endpoint) {
        #expect(SocketNode().stream(endpoint).ended().error?.kind == "TransportError.invalidURL")
    }

    @Test(.startsChild) func `A proxy of the environment is asked for a tunnel, but never for this machine`() async {
        await #expect(processExitsWith: .success) {
            let tunnel = Slot<String>()
            let proxy = try ScriptedServer { connection in
                guard let request = connection.readRequest() else { return }
                tunnel.fill(request.line)
                connection.send("HTTP/1.1 200 OK\r\n\r\nfrom ")
                connection.echo()
            }
            let refusing = try ScriptedServer.answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            setenv("http_proxy", "http://bob:SECRET@127.0.0.1:\(proxy.port)", 1)
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            let socket = try OpenSocket(SocketConnection.Endpoint(host: "example.invalid", port: 4222))
            socket.connection.send(Data("afar".utf8))
            #expect(socket.connection.text(count: 9) == "from afar")
            #expect(tunnel.wait() == "CONNECT example.invalid:4222 HTTP/1.1")
            socket.dispose()
            #expect(throws: TransportError.self) { _ = try OpenSocket(SocketConnection.Endpoint(host: "127.0.0.1", port: 1)) }
            setenv("http_proxy", "http://bob:SECRET@127.0.0.1:\(refusing.port)", 1)
            let refused =
                SocketNode().stream(SocketConnection.Endpoint(host: "example.invalid", port: 4222)).ended().error as? TransportError
            #expect(refused == .proxyFailed(url: "tcp://example.invalid:4222", reason: "it responded with 403"))
        }
    }

    @Test func `A refused connection and an unknown host are typed errors`() throws {
        let refused = SocketNode().stream(SocketConnection.Endpoint(host: "127.0.0.1", port: 1)).ended().error as? TransportError
        #expect(refused == .cannotConnect(url: "tcp://127.0.0.1:1", reason: "Connection refused"))
        let unknown = SocketNode().stream(SocketConnection.Endpoint(host: "no.such.host.invalid", port: 1)).ended().error as? TransportError
        let url = "tcp://no.such.host.invalid:1"
        #expect(unknown == (SystemNetwork.hasRoute ? .cannotFindHost("no.such.host.invalid", url: url) : .networkUnreachable(url: url)))
    }
}

@Suite("Limits of sockets", .countsResources, .blocksThread)
struct SocketLimitTests {
    @Test func `A silent connection fails after the idle timeout, in virtual time`() throws {
        let server = try ScriptedServer { connection in _ = connection.waitForClose() }
        let scheduler = TestScheduler()
        let socket = try OpenSocket(
            server.endpoint, node: SocketNode(timeouts: .init(connect: nil, idle: .seconds(60), total: nil), scheduler: scheduler))
        let ended = Slot<TransportError?>()
        let listening = socket.connection.received.subscribe(onNext: { _ in }, onError: { ended.fill($0 as? TransportError) })
        while ended.wait(0.01) == nil { scheduler.advance(by: .seconds(59)) }
        #expect(ended.wait() == .timedOut(.idle, after: .seconds(60), url: server.endpoint.description))
        #expect(throws: TransportError.self) { try socket.ending() }
        listening.dispose()
    }

    @Test func `The time in which the subscriber is suspended is not idle, and the timeout starts in full afterwards`() throws {
        let server = try ScriptedServer { connection in
            connection.send("x")
            _ = connection.waitForClose()
        }
        let scheduler = TestScheduler()
        let socket = try OpenSocket(
            server.endpoint, node: SocketNode(timeouts: .init(connect: nil, idle: .seconds(60), total: nil), scheduler: scheduler))
        let subscriber = SuspendingSubscriber(to: socket.connection.received) { _ in true }
        #expect(subscriber.begins())
        for _ in 0..<100 { scheduler.advance(by: .seconds(59)) }
        #expect(subscriber.completes(within: 0.1) == nil)
        subscriber.resume()
        while subscriber.completes(within: 0.01) == nil { scheduler.advance(by: .seconds(59)) }
        #expect(subscriber.error as? TransportError == .timedOut(.idle, after: .seconds(60), url: server.endpoint.description))
        subscriber.dispose()
    }

    @Test func `A connection ends at its total timeout, however busy`() throws {
        let server = try ScriptedServer { connection in _ = connection.waitForClose() }
        let scheduler = TestScheduler()
        let timeouts = SocketConnection.Timeouts(connect: nil, idle: nil, total: .seconds(3600))
        let socket = try OpenSocket(server.endpoint, node: SocketNode(timeouts: timeouts, scheduler: scheduler))
        scheduler.advance(by: .seconds(3600))
        #expect(throws: TransportError.timedOut(.total, after: .seconds(3600), url: server.endpoint.description)) { try socket.ending() }
    }

    @Test func `More unwritten bytes than the buffer holds fail the connection`() throws {
        let server = try ScriptedServer { connection in _ = connection.waitForClose() }
        let socket = try OpenSocket(server.endpoint, node: SocketNode(overflow: .fail(capacity: 1_000_000)))
        let block = Data(repeating: 0x61, count: 100_000)
        var count = 0
        while socket.connection.send(block), count < 10_000 { count += 1 }
        #expect(count < 10_000)
        let error = #expect(throws: StreamError.overflow(capacity: 1_000_000)) { try socket.ending() }
        #expect(error?.errorDescription?.contains("elements") == false)
    }
}
