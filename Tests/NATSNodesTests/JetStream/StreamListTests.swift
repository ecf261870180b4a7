import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Lists, purges and domains of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct StreamListTests {
    private func withServer(_ domain: String? = nil, _ body: (NATSConnection) throws -> Void) throws {
        let server: NATSServer
        if let domain {
            let folder = FileManager.default.temporaryDirectory.appending(path: "domain-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            server = try NATSServer(.init(configuration: "jetstream { store_dir: \"\(folder)\", domain: \(domain) }"))
            return try body(NATSConnection(server.url, configuration: quickly()))
        }
        server = try NATSServer(.init(hasJetStream: true))
        try body(NATSConnection(server.url, configuration: quickly()))
    }

    @Test func `All streams are listed, page by page, or those that store a subject`() throws {
        try withServer { bus in
            let creations = Observable.from(0..<300).flatMap(maxConcurrent: 32) { number in
                bus.stream("S\(number)").create {
                    $0.storage = .memory
                    $0.subjects = [number % 100 == 0 ? "hundreds.\(number)" : "others.\(number)"]
                }
            }
            let created = try creations.ended().get()
            let names = Set(try bus.streams().map(\.configuration.name).ended().get())
            #expect(created.count == 300 && names == Set((0..<300).map { "S\($0)" }))
            let some = try bus.streams("hundreds.*").map(\.configuration.name).ended().get()
            #expect(Set(some) == ["S0", "S100", "S200"])
            let none = try bus.streams("nothing").ended().get()
            #expect(none.isEmpty)
            let taken = try bus.streams().take(1).ended().get()
            #expect(taken.count == 1)
        }
    }

    @Test func `Messages are purged by subject, up to one that stays, and down to a number that stay`() throws {
        try withServer { bus in
            let stream = bus.stream("S")
            _ = try stream.create {
                $0.storage = .memory
                $0.subjects = ["a.*", "b"]
            }.ended().one()
            let stored = Observable.from(1...20).store(in: stream, subject: { $0 % 2 == 0 ? "b" : "a.\($0)" })
            try stored.ended().get()
            func rest() throws -> [Int] {
                try stream.replay(completesAtEnd: true, as: Int.self).map(\.body).ended().get()
            }
            #expect(try stream.purge("a.*", before: 10).ended().one() == 5)
            #expect(try rest() == [2, 4, 6, 8] + Array(10...20))
            #expect(try stream.purge("b", keeping: 1).ended().one() == 9)
            #expect(try rest() == [11, 13, 15, 17, 19, 20])
            #expect(try stream.purge(keeping: 2).ended().one() == 4)
            #expect(try rest() == [19, 20])
            #expect(try stream.purge(before: 1).ended().one() == 0)
            #expect(try stream.purge(before: 20).ended().one() == 1)
            #expect(try rest() == [20])
            guard case .jetStream? = Recorder(stream.purge(before: 5, keeping: 1).asObservable()).failure() else {
                return #expect(Bool(false))
            }
            #expect(try stream.purge().ended().one() == 1)
            #expect(try rest() == [])
        }
    }

    @Test func `A stream of a domain is created, written, consumed and listed there, and another domain has no servers`() throws {
        try withServer("hub") { bus in
            let stream = bus.stream("S", domain: "hub")
            #expect(stream.domain == "hub")
            _ = try stream.create { $0.storage = .memory }.ended().one()
            let stored = try Observable.from(1...3).store(in: stream).ended().get()
            #expect(stored.map(\.sequence) == [1, 2, 3])
            let consumed = try stream.consume("c", as: Int.self).take(3).do(onNext: { $0.acknowledge() }).map(\.body)
                .ended().get()
            #expect(consumed == [1, 2, 3])
            let read = try stream.replay(completesAtEnd: true, as: Int.self).map(\.body).ended().get()
            #expect(read == [1, 2, 3])
            let names = try bus.streams(domain: "hub").map(\.configuration.name).ended().get()
            #expect(names == ["S"])
            guard case .jetStream(let error)? = Recorder(bus.stream("S", domain: "other").info().asObservable()).failure() else {
                return #expect(Bool(false))
            }
            #expect(error.status == 503)
            guard case .invalidName? = Recorder(bus.stream("S", domain: "a.b").info().asObservable()).failure() else {
                return #expect(Bool(false))
            }
        }
    }
}
