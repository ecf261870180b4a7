import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// Deliveries of a scripted server, for cases that a real one shows only at times.
@Suite("Reading from a scripted server", .blocksThread)
struct ScriptedConsumerTests {
    private typealias Stored = ScriptedStream.Stored

    @Test func `A replay emits nothing before its position, wherever the consumer of a replica that is behind begins`() throws {
        let messages = (1...5).map { Stored(sequence: 2 + $0, consumerSequence: $0, pending: 5 - $0) }
        try withServer { connection in
            ScriptedStream(consumers: [.init(messages: messages)]).serve(on: connection)
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay(from: .sequence(6), completesAtEnd: true))
            let sequences = try read.all().map(\.sequence)
            #expect(sequences == [6, 7])
        }
    }

    @Test
    func `A replay to the end goes on behind what a server of a cluster has, until it has what the leader of the stream has`() throws {
        let asked = Lock<[ScriptedSession.Publication]>([])
        let inCluster = #""cluster":{"name":"C","leader":"s2"}"#
        // Message 1, then nothing, then the others: three consumers, of which the first two know of no more.
        let stream = ScriptedStream(
            consumers: [
                .init(
                    details: #""num_pending":1,"# + inCluster,
                    messages: [Stored(sequence: 1, consumerSequence: 1, pending: 0)]),
                .init(details: #""num_pending":0,"# + inCluster),
                .init(
                    details: #""num_pending":2,"# + inCluster,
                    messages: [
                        Stored(sequence: 2, consumerSequence: 1, pending: 1), Stored(sequence: 3, consumerSequence: 2, pending: 0),
                    ]),
            ], lasts: [3, 3, 3])
        try withServer { connection in
            stream.serve(on: connection) { publication in asked.withLock { $0.append(publication) } }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay(filter: "S", completesAtEnd: true))
            let sequences = try read.all().map(\.sequence)
            #expect(sequences == [1, 2, 3])
        }
        let questions = asked.withLock { $0 }
        let lasts = questions.filter { $0.subject.hasSuffix("MSG.GET.S") }.map(\.payload)
        #expect(lasts == Array(repeating: #"{"last_by_subj":"S"}"#, count: 3))
        let starts = questions.filter { $0.subject.hasSuffix("CONSUMER.CREATE.S") }.map { $0.payload.contains(#""opt_start_seq":2"#) }
        #expect(starts == [false, true, true])
    }

    @Test(arguments: [true, false])
    func `A replay to the end of an empty stream completes, whatever position it begins at`(isInCluster: Bool) throws {
        let details = #""num_pending":0"# + (isInCluster ? #","cluster":{"name":"C"}"# : "")
        for start in [NATSStream.StartPosition.first, .new, .sequence(7), .time(.now), .lastOfEachSubject] {
            try withServer { connection in
                ScriptedStream(consumers: [.init(details: details)], lasts: [nil]).serve(on: connection)
            } _: { url in
                let bus = NATSConnection(url, configuration: quickly())
                let read = try Recorder(bus.stream("S").replay(from: start, completesAtEnd: true)).all()
                #expect(read.isEmpty)
            }
        }
    }

    @Test func `A server that goes back within a stream is a violation, and nothing is emitted twice`() throws {
        let messages = [Stored(sequence: 7, consumerSequence: 1, pending: 2), Stored(sequence: 3, consumerSequence: 2, pending: 1)]
        try withServer { connection in
            ScriptedStream(consumers: [.init(messages: messages)]).serve(on: connection)
        } _: { url in
            let read = Recorder(NATSConnection(url, configuration: quickly()).stream("S").replay())
            #expect(read.failure() == .protocolViolation(.unexpected("message 3 behind 7")))
            let sequences = try read.first(1).map(\.sequence)
            #expect(sequences == [7])
        }
    }

    @Test(arguments: [
        #"{"stream":"OTHER","seq":1}"#, #"{"stream":"S","seq":0}"#, #"{"stream":"S","seq":-3}"#,
        #"{"stream":"S","seq":18446744073709551616}"#, #"{"stream":"S"}"#, #"{"seq":1}"#, "stored", "", "[[[[[[",
    ])
    func `An acknowledgement that cannot be true is a typed error, and no element counts as stored`(_ answer: String) throws {
        try withServer { connection in
            let session = ScriptedSession(connection)
            while let publication = session.next() { session.send(answer, to: publication.reply) }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let stored = Recorder(
                Observable.just("element").store(in: bus.stream("S"), id: { _ in 1 }) { $0.acknowledgementTimeout = patience })
            switch stored.failure() {
            case .jetStream(let error)?: #expect(error.reason == "OTHER has stored it, not S")
            case .undecodable?: break
            case let error: Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test func `The last message of a stream is read by another consumer when it was lost with the connection`() throws {
        let connections = Lock(0)
        let firstQuestions = Lock<[String]>([])
        try withServer { connection in
            let isFirst = connections.withLock { connections in
                connections += 1
                return connections == 1
            }
            // The second and third message do not arrive at the first connection.
            let messages = isFirst ? [(1, 1, 2)] : [(2, 1, 1), (3, 2, 0)]
            let stored = messages.map { Stored(sequence: $0.0, consumerSequence: $0.1, pending: $0.2) }
            var isFirstQuestion = true
            ScriptedStream(consumers: [.init(messages: stored)], closesAfterDelivery: isFirst).serve(on: connection) { publication in
                if isFirstQuestion { firstQuestions.withLock { $0.append(publication.subject) } }
                isFirstQuestion = false
            }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay())
            let sequences = try read.first(3).map(\.sequence)
            #expect(sequences == [1, 2, 3])
            let questions = firstQuestions.withLock { $0 }
            #expect(questions == ["$JS.API.CONSUMER.CREATE.S", "$JS.API.STREAM.INFO.S"])
        }
    }
}
