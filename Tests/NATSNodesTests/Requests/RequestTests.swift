import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Requests through a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct RequestTests {
    private struct Broken: RedactedError {
        var redactedDescription: String { "no such zone\r\nPUB x 0" }
    }

    private func serving(
        _ body: (NATSConnection) throws -> Void, _ respond: @escaping @Sendable (String) throws -> Observable<Int>
    ) throws {
        let server = try NATSServer()
        let (bus, responder) = (
            NATSConnection(server.url, configuration: patiently()), NATSConnection(server.url, configuration: patiently())
        )
        let service = responder.serve("length", as: String.self, respond).subscribe()
        defer { service.dispose() }
        try responder.settle()
        try body(bus)
    }

    @Test func `A question is answered, and many at a time each get their own answer`() throws {
        try serving { bus in
            let node = bus.requestNode("length", String.self, Int.self)
            let answer = try node.stream("four").ended().get()
            #expect(answer == [4])
            let questions = (0..<500).map { String(repeating: "x", count: $0) }
            let answers = Observable.from(questions).concatMapEager { node.stream($0) }
            let lengths = try answers.ended().get()
            #expect(lengths == Array(0..<500))
        } _: {
            .just($0.utf8.count)
        }
    }

    @Test func `All answers of a stream arrive in order, and it completes with its last`() throws {
        try serving { bus in
            let node = bus.requestNode("length", String.self, Int.self, answers: .all)
            let four = try node.stream("four").ended().get()
            #expect(four == [0, 1, 2, 3])
            let none = try node.stream("").ended().get()
            #expect(none == [])
        } _: {
            .from(0..<$0.utf8.count)
        }
    }

    @Test func `The responder's error arrives with its code, on one line`() throws {
        try serving { bus in
            let error = NATSError.service(subject: "length", code: 500, reason: "no such zone  PUB x 0")
            #expect(Recorder(bus.requestNode("length", String.self, Int.self).stream("x")).failure() == error)
            #expect(Recorder(bus.requestNode("length", String.self, Int.self, answers: .all).stream("x")).failure() == error)
        } _: { _ in
            throw Broken()
        }
    }

    @Test func `A question that does not fit is answered with 400, and the service goes on`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let service = bus.serve("double", as: Int.self) { .just($0 * 2) }.subscribe()
        defer { service.dispose() }
        try bus.settle()
        guard case .service(_, 400, let reason)? = Recorder(bus.requestNode("double", String.self, Int.self).stream("secret")).failure()
        else { return #expect(Bool(false)) }
        #expect(!reason.contains("secret"))
        let answer = try bus.requestNode("double", Int.self, Int.self).stream(4).ended().get()
        #expect(answer == [8])
    }

    @Test func `An answer that does not fit fails its request, and no other`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let service = bus.serve("echo", as: String.self) { .just($0) }.subscribe()
        defer { service.dispose() }
        try bus.settle()
        for answers in [NATSRequestNode<String, Int>.Answers.first, .all] {
            let node = bus.requestNode("echo", String.self, Int.self, answers: answers)
            #expect(Recorder(node.stream("{")).failure() == .undecodable(subject: "echo", reason: "it is not JSON"))
            let next = try node.stream("7").ended().get()
            #expect(next == [7])
        }
    }

    @Test func `Questions that cannot be decoded or answered are reported, and the service goes on`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let skipped = Recorder(bus.events.compactMap(\.skippedMessage))
        let service = bus.serve("double", as: Int.self) { .just($0 * 2) }.subscribe()
        defer { service.dispose() }
        try bus.settle()
        try bus.publish("{", to: "double")
        // No client of this package sends this, and the server passes it on.
        for (body, reply) in [("1", "a.*"), ("{", ">"), ("2", "a..b")] {
            try bus.core.publish("double", reply: reply, payload: Data(body.utf8))
        }
        let answer = try bus.requestNode("double", Int.self, Int.self).stream(4).ended().get()
        #expect(answer == [8])
        let errors = try skipped.first(4).map(\.error)
        #expect(errors.first == .undecodable(subject: "double", reason: "it is not JSON"))
        let subjects = errors.dropFirst().compactMap { if case .invalidSubject(let subject, _) = $0 { subject } else { nil } }
        #expect(subjects == ["a.*", ">", "a..b"])
    }

    @Test func `Without a responder it fails at once`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        #expect(Recorder(bus.requestNode("nobody", String.self, Int.self).stream("x")).failure() == .noResponders(subject: "nobody"))
        #expect(Recorder(bus.request(Data(), to: "nobody").asObservable()).failure() == .noResponders(subject: "nobody"))
    }

    @Test func `A responder that says nothing is a timeout, and the operators of nodes apply`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let silent = Recorder(bus.messages("silent"))
        try bus.settle()
        let node = bus.requestNode("silent", String.self, Int.self, timeout: .milliseconds(20))
        let asked = node.stream("x").retry(.delay(.zero, maxAttempts: 3))
        #expect(Recorder(asked).failure() == .timedOut(subject: "silent", after: .milliseconds(20)))
        let answer = try silent.first(3).count
        #expect(answer == 3)
        #expect(bus.core.shared.withLock { $0.requests.count } == 0)
    }

    @Test func `A request whose connection is lost fails at once`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let silent = Recorder(bus.messages("silent"))
        try bus.settle()
        let asked = Recorder(bus.requestNode("silent", String.self, Int.self, timeout: .seconds(600)).stream("x"))
        _ = try silent.first(1)
        server.kill()
        guard case .connectionLost? = asked.failure() else { return #expect(Bool(false)) }
    }

    @Test func `A queue group of responders shares the questions`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let services = (0..<2).map { number in bus.serve("who", as: String.self, queue: "q") { _ in .just(number) }.subscribe() }
        defer { for service in services { service.dispose() } }
        try bus.settle()
        let node = bus.requestNode("who", String.self, Int.self, answers: .all)
        let answers = try Observable.from(Array(repeating: "x", count: 100)).flatMap { node.stream($0) }.ended().get()
        #expect(answers.count == 100)
        #expect(Set(answers) == [0, 1])
    }

    @Test func `What the node notes holds neither question nor answer`() throws {
        try serving { bus in
            let logs = ReplaySubject<OperationLog>.createUnbounded()
            let lengths = bus.requestNode("length", String.self, Int.self)
            let answer = try lengths.stream("secret").logged { logs.onNext($0) }.ended().get()
            #expect(answer == [6])
            let log = try #require(try logs.take(1).ended().get().first)
            #expect(log.description.contains("asks length"))
            #expect(!log.description.contains("secret"))
        } _: {
            .just($0.utf8.count)
        }
    }
}
