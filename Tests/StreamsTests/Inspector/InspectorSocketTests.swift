import Foundation
import StreamsTesting
import Testing

@testable import StreamsInspector

/// One server at a time: it is the process's.
@Suite("The inspector's socket", .serialized, .enabled(if: Inspector.isAvailable))
struct InspectorSocketTests {
    private let scope = InspectorScope()

    /// Serves the scope in a directory of its own while `body` runs.
    private func serving(
        _ patience: InspectorLoop.Patience = InspectorLoop.Patience(), _ body: (_ path: String) throws -> Void
    ) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "\(getpid())-test.sock").path(percentEncoded: false)
        try InspectorServer.start(at: path, scope.streams, patience: patience)
        defer { Inspector.stop() }
        try body(path)
        #expect(try InspectorSocket.list(in: directory.path(percentEncoded: false)).map(\.path) == [path])
    }

    @Test func `A client receives the snapshot, without elements`() throws {
        let subject = PublishSubject<String>()
        let subscription = scope.inspecting { subject.map { $0 }.subscribe { _ in } }
        subject.onNext("swordfish")
        try serving { path throws in
            let version = try InspectorSocket.version(at: path)
            #expect(version.format == InspectorSnapshot.currentFormat && version.process == getpid())
            let json = String(decoding: try InspectorSocket.answer(to: .snapshot(), at: path), as: UTF8.self)
            #expect(!json.contains("swordfish") && !json.contains("\n"))
            #expect(try InspectorSocket.snapshot(at: path).nodes.map(\.elements) == [1, 1])
            Inspector.showsElements = true
            defer { Inspector.showsElements = false }
            subject.onNext("swordfish " + String(repeating: "x", count: 10_000))
            let element = try #require(InspectorSocket.snapshot(at: path).nodes.first?.lastElement)
            #expect(element.hasPrefix("swordfish") && element.count <= 101)
        }
        subscription.dispose()
    }

    @Test func `A client receives the page that it asks for, and the totals of all`() throws {
        let subject = PublishSubject<Int>()
        let subscriptions = scope.inspecting { (0..<4).map { _ in subject.map { $0 }.subscribe { _ in } } }
        try serving { path throws in
            let whole = try InspectorSocket.snapshot(at: path)
            let page = try InspectorSocket.snapshot(at: path, InspectorProtocol.Page(first: 3, count: 2))
            #expect(page.nodes.map(\.id) == whole.nodes[3..<5].map(\.id) && page.nodes.map(\.place) == whole.nodes[3..<5].map(\.place))
            #expect(page.totals.nodes == 8 && page.totals.chains == 4 && page.totals.outside == 6 && whole.totals.outside == nil)
            for (first, count, expected) in [(0, 0, 0), (8, 1, 0), (7, 9, 1), (9, 9, 0), (0, Int.max, 8), (Int.max, Int.max, 0)] {
                let page = try InspectorSocket.snapshot(at: path, InspectorProtocol.Page(first: first, count: count))
                #expect(page.nodes.count == expected && page.totals.nodes == 8)
            }
            let counts = try InspectorSocket.counts(at: path)
            #expect(counts.totals.nodes == 8 && counts.chains.map(\.count) == [4] && counts.chains == whole.leaks)
        }
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A process that answers nothing, or whose queue is full, is waited for as long as the limit says`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "full-\(UInt32.random(in: 0 ... .max)).sock").path
        let listener = try InspectorSocket.make()
        defer { close(listener) }
        #expect(LocalSocket.bind(listener, to: path) && listen(listener, 1) == 0)
        defer { unlink(path) }
        func ask() throws -> Data { try InspectorSocket.answer(to: .version, at: path, within: .milliseconds(20)) }
        #expect(throws: InspectorSocket.Silent(path: path)) { try ask() }
        // Nobody accepts them.
        var waiting: [Int32] = []
        defer { for descriptor in waiting { close(descriptor) } }
        repeat {
            waiting.append(try InspectorSocket.make())
            _ = fcntl(waiting[waiting.count - 1], F_SETFL, O_NONBLOCK)
        } while LocalSocket.connect(waiting[waiting.count - 1], to: path)
        #expect(throws: InspectorSocket.Silent(path: path)) { try ask() }
    }

    @Test func `A client that does not read its answer is dropped`() throws {
        let subject = PublishSubject<Int>()
        let subscriptions = scope.inspecting { (0..<2_000).map { _ in subject.subscribe { _ in } } }
        let patience = InspectorLoop.Patience(idle: 50_000_000)
        try serving(patience) { path throws in
            let reader = try connection(to: path)
            defer { close(reader) }
            #expect(send(reader, "snapshot\n", 9, 0) == 9)
            // It is told when the other end has been closed, before it has read anything.
            var socket = pollfd(fd: reader, events: Int16(0x2000), revents: 0)
            #expect(poll(&socket, 1, 300_000) == 1)
        }
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test(arguments: [
        ("snapshot", InspectorProtocol.Request.snapshot()), ("snapshot 0 10", .snapshot(.init(count: 10))),
        ("snapshot 20 10", .snapshot(.init(first: 20, count: 10))), ("counts", .counts), ("version", .version),
    ])
    func `A request is a line`(line: String, request: InspectorProtocol.Request) {
        #expect(InspectorProtocol.Request(line) == request && request.line == line)
    }

    @Test(arguments: [
        "", "snapshot 1", "snapshot -1 1", "snapshot 1 -1", "snapshot a b", "snapshot 1 2 3", "snapshots", "counts 1", "version 1",
    ])
    func `Another line is no request`(line: String) {
        #expect(InspectorProtocol.Request(line) == nil)
    }

    @Test func `Garbage and requests that are too long are refused`() throws {
        try serving { path throws in
            #expect(try talk(to: path, sending: "\u{0}\u{1}?\n").contains("unknown request"))
            #expect(try talk(to: path, sending: "\n").contains("unknown request"))
            #expect(try talk(to: path, sending: String(repeating: "x", count: 1_025)).contains("too long"))
            #expect(try talk(to: path, sending: "version\n", closesFirst: true).contains("\"format\""))
            #expect(try talk(to: path, sending: "versio", closesFirst: true) == "")
            #expect(try InspectorSocket.version(at: path).process == getpid())
        }
    }

    @Test func `Clients that send nothing or read nothing do not keep others from their answers`() throws {
        let subject = PublishSubject<Int>()
        let subscriptions = scope.inspecting { (0..<5_000).map { _ in subject.subscribe { _ in } } }
        try serving { path throws in
            let idle = try connection(to: path)
            let reader = try connection(to: path)
            _ = send(reader, "snapshot\n", 9, 0)
            #expect(try InspectorSocket.snapshot(at: path).nodes.count == 5_000)
            // More than are served at once: the last ones have their answers when the first have been dropped.
            let more = try (0..<6).map { _ in try connection(to: path) }
            #expect(try InspectorSocket.version(at: path).process == getpid())
            for descriptor in [idle, reader] + more { close(descriptor) }
        }
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A directory that others can read, or a symbolic link, is refused`() throws {
        let open = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: open) }
        #expect(throws: InspectorProtocol.Failure.self) { try scope.serve(at: open.appending(path: "a.sock").path(percentEncoded: false)) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: open.path(percentEncoded: false))
        let link = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: open)
        defer { try? FileManager.default.removeItem(at: link) }
        #expect(throws: InspectorProtocol.Failure.self) { try scope.serve(at: link.appending(path: "a.sock").path(percentEncoded: false)) }
        #expect(Inspector.socketPath == nil)
    }

    private func connection(to path: String) throws -> Int32 {
        let descriptor = try InspectorSocket.make()
        #expect(LocalSocket.connect(descriptor, to: path))
        return descriptor
    }

    /// Sends `text`, and returns what is answered until the connection is closed.
    private func talk(to path: String, sending text: String, closesFirst: Bool = false) throws -> String {
        let descriptor = try connection(to: path)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        #expect(send(descriptor, bytes, bytes.count, InspectorSocket.withoutSignal) == bytes.count)
        if closesFirst { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { answer.append(contentsOf: buffer[..<count]) }
        return String(decoding: answer, as: UTF8.self)
    }
}
