import TestSupport

/// A stream `S` of a scripted server: what its consumers deliver, and which message its leader says is the last.
struct ScriptedStream: Sendable {
    /// A message of a stream, as a consumer delivers it.
    struct Stored: Sendable {
        let sequence: Int
        let consumerSequence: Int
        let pending: Int
    }

    /// A consumer, in the order in which they are created on a connection.
    struct Consumer: Sendable {
        /// Its description of itself, besides its name.
        var details = #""num_pending":5"#
        /// The messages for the first request for some.
        var messages: [Stored] = []
    }

    var consumers: [Consumer]
    /// The number of the last message, each time that somebody asks; `nil` for none.
    var lasts: [Int?] = []
    /// Whether the connection is closed when a consumer has delivered its messages.
    var closesAfterDelivery = false

    /// Answers what a client asks on one connection.
    ///
    /// - Parameter note: told of each question before it is answered.
    func serve(on connection: LoopbackConnection, noting note: (ScriptedSession.Publication) -> Void = { _ in }) {
        let session = ScriptedSession(connection)
        var (created, lasts, delivered) = (0, lasts[...], Set<String>())
        while let publication = session.next() {
            note(publication)
            let words = publication.subject.split(separator: ".").dropFirst(2)
            switch words.joined(separator: ".") {
            case "CONSUMER.CREATE.S":
                guard created < consumers.count else { return }
                session.send("{\"name\":\"\(created)\",\(consumers[created].details)}", to: publication.reply)
                created += 1
            case "STREAM.INFO.S":
                let state = #"{"messages":9,"bytes":9,"first_seq":1,"last_seq":9,"consumer_count":0}"#
                session.send("{\"config\":{\"name\":\"S\"},\"state\":\(state),\"created\":\"2023-01-01T00:00:00Z\"}", to: publication.reply)
            case "STREAM.MSG.GET.S": session.send(Self.answer(lasts.popFirst() ?? nil), to: publication.reply)
            case let words where words.hasPrefix("CONSUMER.MSG.NEXT.S."):
                guard delivered.insert(words).inserted, created > 0 else { continue }
                for message in consumers[created - 1].messages {
                    let position = "\(message.sequence).\(message.consumerSequence).1700000000000000000.\(message.pending)"
                    session.send("x", to: publication.reply, as: "S", reply: "$JS.ACK.S.c.1.\(position)")
                }
                if closesAfterDelivery { return connection.close() }
            default: break
            }
        }
    }

    private static func answer(_ last: Int?) -> String {
        guard let last else { return #"{"error":{"code":404,"err_code":10037,"description":"no message found"}}"# }
        return "{\"message\":{\"subject\":\"S\",\"seq\":\(last),\"data\":\"eA==\",\"time\":\"2026-11-22T21:00:00.5Z\"}}"
    }
}
