import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Buckets of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct BucketTests {
    private func withBucket(_ body: (NATSConnection, NATSBucket<Double>) throws -> Void) throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let bucket = bus.bucket("prices", of: Double.self)
        try bucket.create(history: 5, storage: .memory).ended().get()
        try body(bus, bucket)
    }

    @Test func `A value that is put can be got, and is gone when it is removed`() throws {
        try withBucket { _, bucket in
            let revision = try bucket.put(12.5, "ACME").ended().one()
            let entry = try bucket.get("ACME").ended().one()
            #expect(entry.value == 12.5 && entry.revision == revision && entry.key == "ACME" && entry.operation == .put)
            try bucket.remove("ACME").ended().get()
            let removed = try bucket.get("ACME").ended().get()
            let never = try bucket.get("nothing").ended().get()
            #expect(removed.isEmpty && never.isEmpty)
        }
    }

    @Test func `A name with a dot is refused: it would be a key in another bucket`() throws {
        try withBucket { bus, bucket in
            let other = bus.bucket("prices.eu", of: Double.self)
            let reason = "it has a blank, a dot, a wildcard, a slash or a control character"
            for change in [other.put(1, "ACME"), other.add(1, "ACME"), other.replace("ACME", with: 1, revision: 0)] {
                let error = change.ended().error
                #expect(error as? NATSError == .invalidName("prices.eu", reason: reason))
            }
            let entries = try bucket.all().ended().get()
            #expect(entries.isEmpty)
        }
    }

    @Test func `A value is replaced only if nobody else has changed it`() throws {
        try withBucket { _, bucket in
            let revision = try bucket.add(1, "a").ended().one()
            _ = try bucket.replace("a", with: 2, revision: revision).ended().one()
            let late = bucket.replace("a", with: 3, revision: revision).ended().error
            #expect(late as? NATSError.BucketFailure == .conflict(key: "a"))
            let added = bucket.add(4, "a").ended().error
            #expect(added as? NATSError.BucketFailure == .conflict(key: "a"))
            try bucket.remove("a").ended().get()
            _ = try bucket.add(5, "a").ended().one()
            let value = try bucket.get("a").ended().one().value
            #expect(value == 5)
        }
    }

    @Test func `A subscriber sees the values of now, and then each change and each removal`() throws {
        try withBucket { _, bucket in
            _ = try bucket.put(1, "a.x").ended().one()
            _ = try bucket.put(2, "a.x").ended().one()
            _ = try bucket.put(3, "b.x").ended().one()
            let watched = Recorder(bucket.watch("a.*"))
            _ = try watched.first(1)
            _ = try bucket.put(4, "a.y").ended().one()
            _ = try bucket.put(5, "b.x").ended().one()
            try bucket.remove("a.x").ended().get()
            let entries = try watched.first(3)
            #expect(entries.map(\.value) == [2, 4, nil])
            #expect(entries.map(\.operation) == [.put, .put, .delete])
            let all = try bucket.all().ended().get()
            #expect(all.map(\.key).sorted() == ["a.y", "b.x"])
            let history = try bucket.history("a.x").ended().get()
            #expect(history.map(\.value) == [1, 2, nil])
        }
    }

    @Test func `The value of a key is a stream that begins with the one of now, or with none`() throws {
        try withBucket { _, bucket in
            let empty = Recorder(bucket.value(of: "a"))
            let none = try empty.first(1)
            #expect(none == [nil])
            _ = try bucket.put(1, "a").ended().one()
            let changed = try empty.first(2)
            #expect(changed == [nil, 1])
            let later = Recorder(bucket.value(of: "a"))
            _ = try later.first(1)
            try bucket.remove("a").ended().get()
            let values = try later.first(2)
            #expect(values == [1, nil])
        }
    }

    @Test(arguments: ["", "a b", ".a", "a.", "a..b", "a*", ">", "ä"])
    func `What is no key is refused before anything is sent`(_ key: String) {
        let bucket = NATSConnection("nats://127.0.0.1:1", configuration: patiently()).bucket("b", of: Int.self)
        let error = bucket.put(1, key).ended().error
        #expect(error as? NATSError.BucketFailure == .invalidKey(key))
    }

    @Test func `A value that cannot be decoded is skipped by streams and is an error of a single request`() throws {
        try withBucket { bus, bucket in
            let skipped = Recorder(bus.events.compactMap(\.skippedMessage))
            _ = try bucket.put(1, "a").ended().one()
            let (watched, value) = (Recorder(bucket.watch().map(\.value)), Recorder(bucket.value(of: "a")))
            _ = try watched.first(1)
            _ = try value.first(1)
            for body in ["{", ""] { try bus.publish(body, to: "$KV.prices.a") }
            let fault = NATSError.undecodable(subject: "$KV.prices.a", reason: "it is not JSON")
            _ = try skipped.first { $0.count == 4 }
            #expect(Recorder(bucket.get("a").asObservable()).failure() == fault)
            // The value is another one, but it is there.
            let added = bucket.add(2, "a").ended().error
            #expect(added as? NATSError.BucketFailure == .conflict(key: "a"))
            // The current value is none that could be emitted.
            let late = Recorder(bucket.value(of: "a"))
            _ = try skipped.first { $0.count == 5 }
            _ = try bucket.put(3, "a").ended().one()
            let (entries, values, lateValues) = (try watched.first(2), try value.first(2), try late.first(1))
            #expect(entries == [1, 3] && values == [1, 3] && lateValues == [3])
            let history = try bucket.history("a").map(\.value).ended().get()
            #expect(history == [1, 3])
            let errors = try skipped.first(7).map(\.error)
            #expect(errors == Array(repeating: fault, count: 7))
        }
    }

    @Test func `A value with malformed headers, which anybody can have sent, is one without headers`() throws {
        try withBucket { bus, bucket in
            let reports = Recorder(bus.events.filter { if case .serverError = $0 { true } else { false } })
            try bus.core.publish("$KV.prices.a", headers: Array("NATS/1.0\r\nnothing\r\n\r\n".utf8), payload: Data("7".utf8))
            try bus.settle()
            let value = try bucket.get("a").ended().one().value
            #expect(value == 7)
            let report = try reports.first(1)
            #expect(report == [.serverError(.protocolViolation(.malformedHeaders(reason: "a line has no name")))])
        }
    }
}
