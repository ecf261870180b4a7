import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Draining", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct DrainingTests {
    /// No server: the port is reserved.
    private static let nowhere = "nats://127.0.0.1:1"

    @Test func `It delivers what is on its way, completes the streams, and sends pending messages`() throws {
        let server = try NATSServer()
        let (bus, other) = (NATSConnection(server.url, configuration: patiently()), NATSConnection(server.url, configuration: patiently()))
        let received = Recorder(bus.messages("a"))
        let elsewhere = Recorder(other.messages("b"))
        try bus.settle()
        try other.settle()
        for number in 0..<500 { try other.publish("\(number)", to: "a") }
        try other.settle()
        try bus.publish("last", to: "b")
        try bus.drain(within: patience).ended().get()
        #expect(try received.all().count == 500)
        #expect(try elsewhere.first(1).map(\.text) == ["last"])
        #expect(throws: NATSError.closed) { try bus.publish("1", to: "a") }
    }

    @Test func `Answers in progress are sent before it closes, and no further question is taken`() throws {
        let server = try NATSServer()
        let (bus, responder) = (
            NATSConnection(server.url, configuration: patiently()), NATSConnection(server.url, configuration: patiently())
        )
        let (asked, answer) = (ReplaySubject<String>.createUnbounded(), PublishSubject<Int>())
        let service = Recorder(
            responder.serve("length", as: String.self) { question in
                asked.onNext(question)
                return answer.asObservable()
            }.asObservable())
        let others = Recorder(responder.messages("others"))
        try responder.settle()
        let node = bus.requestNode("length", String.self, Int.self)
        let answered = Recorder(node.stream("four"))
        try asked.take(1).ended().get()
        let drained = Recorder(responder.drain(within: patience).asObservable())
        #expect(try others.all().isEmpty)
        #expect(Recorder(node.stream("five")).failure() == .noResponders(subject: "length"))
        answer.onNext(4)
        answer.onCompleted()
        #expect(try answered.all() == [4])
        #expect(try service.all().isEmpty)
        #expect(try drained.all().isEmpty)
    }

    @Test func `An answer that does not end delays it up to its limit`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let asked = ReplaySubject<String>.createUnbounded()
        let service = Recorder(
            bus.serve("length", as: String.self) { question in
                asked.onNext(question)
                return Observable<Int>.never()
            }.asObservable())
        try bus.settle()
        let answered = Recorder(bus.requestNode("length", String.self, Int.self).stream("four"))
        try asked.take(1).ended().get()
        let drained = bus.drain(within: .milliseconds(50)).ended()
        #expect(drained.error as? StreamError == .timeout(after: .milliseconds(50)))
        #expect(service.failure() == .closed)
        #expect(answered.failure() == .closed)
    }

    @Test func `Without a connection nothing is waited for, whether it was used or not`() throws {
        let unused = NATSConnection(Self.nowhere, configuration: patiently())
        try unused.drain().ended().get()
        #expect(throws: NATSError.closed) { try unused.publish("1", to: "a") }

        let used = NATSConnection(Self.nowhere, configuration: patiently())
        guard case .cannotConnect? = Recorder(used.messages("a")).failure() else { return #expect(Bool(false)) }
        try used.drain().ended().get()
    }

    @Test func `A connection that was lost is not waited for if nothing is pending`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: quickly())
        let events = Recorder(bus.events)
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        server.kill()
        try events.first { if case .disconnected = $0 { true } else { false } }
        try bus.drain(within: patience).ended().get()
        #expect(try received.all().isEmpty)
    }

    @Test func `Messages that wait when no server accepts are counted`() throws {
        let bus = NATSConnection(Self.nowhere, configuration: patiently())
        let events = Recorder(bus.events)
        for number in 0..<3 { try bus.publish("\(number)", to: "a") }
        // Each message begins an attempt, which may fail before the next one is published.
        var (unsent, attempts) = (0, 0)
        while unsent < 3 {
            attempts += 1
            guard case .gaveUp(.cannotConnect, let more)? = try events.first(attempts).last else { return #expect(Bool(false)) }
            unsent += more
        }
        #expect(unsent == 3)
        #expect(bus.pendingBytes == 0)
    }
}
