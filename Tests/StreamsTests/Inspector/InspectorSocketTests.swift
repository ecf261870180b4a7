import Foundation
import StreamsTesting
import Testing

@testable import StreamsInspector

/// One server at a time: it is the process's.
@Suite("The inspector's socket", .serialized, .enabled(if: Inspector.isAvailable))
struct InspectorSocketTests {
    private let scope = InspectorScope()

    /// Serves the scope in a directory of its own while `body` runs.
    private func serving(_ body: (_ path: String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "\(getpid())-test.sock").path(percentEncoded: false)
        try scope.serve(at: path)
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
            let json = String(decoding: try InspectorSocket.answer(to: .snapshot, at: path), as: UTF8.self)
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
        #expect(try InspectorSocket.withAddress(of: path) { connect(descriptor, $0, $1) } == 0)
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
