public import Foundation
public import SocketNodes

/// Asks a question on a subject and emits the first answer, or all answers of one responder.
///
/// The stream is cold: each subscription asks again. It is a node like any other: `retry`, `logged`, `trackActivity`,
/// `circuitBreaker` and `hedge` apply to it as to a request over HTTP.
///
/// Source: [NATS, request and reply](https://docs.nats.io/nats-concepts/core-nats/reqreply).
public struct NATSRequestNode<Question: Encodable & Sendable, Answer: Decodable & Sendable>: Node {
    /// The number of answers that are expected.
    public enum Answers: Sendable {
        /// The first answer, with which the stream completes.
        case first
        /// All answers of a responder that was made with ``NATSConnection/serve(_:as:queue:maxConcurrent:_:)``.
        case all
    }

    private let bus: NATSConnection
    private let subject: String
    private let answers: Answers
    private let timeout: Duration

    /// - Parameters:
    ///   - bus: the connection.
    ///   - subject: the subject of the question.
    ///   - answers: the number of answers that are expected.
    ///   - timeout: the time that an answer may take, from the question or the previous answer; `nil` means that of the connection.
    public init(_ bus: NATSConnection, _ subject: String, answers: Answers = .first, timeout: Duration? = nil) {
        self.bus = bus
        self.subject = subject
        self.answers = answers
        self.timeout = timeout ?? bus.configuration.requestTimeout
    }

    public func stream(_ input: Question) -> Observable<Answer> {
        .logging { [self] log in
            log.note(.info, "requestNode", "asks \(subject)")
            return asked(input).noting(.error, as: "requestNode") { $0.error.map(redactedText(of:)) }
        }
    }

    private func asked(_ question: Question) -> Observable<Answer> {
        let (subject, coding, timeout) = (subject, bus.coding, timeout)
        let headers = answers == .all ? ServiceHeader.allAnswers : nil
        let late = Observable<NATSMessage<Data>>.error(NATSError.timedOut(subject: subject, after: timeout))
        let received = bus.core.answers(to: subject, headers: headers) { () throws(NATSError) in
            try coding.encode(question, for: subject)
        }
        .timeout(timeout, other: late, scheduler: bus.configuration.scheduler)
        let messages = answers == .all ? received.take { !$0.isEnd } : received.take(1)
        return bus.keepingConnection(
            messages.map { message in
                try message.checkAnswer(on: subject)
                return try coding.decode(Answer.self, from: message.body, of: subject)
            })
    }
}

/// The headers of services.
///
/// Source: [NATS, ADR-32](https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-32.md), for errors.
enum ServiceHeader {
    static let error = "Nats-Service-Error"
    static let code = "Nats-Service-Error-Code"
    /// The header that tells a responder to send every answer, and to mark the last.
    static let answers = "Streams-Answers"
    /// The header that says that no answer follows.
    static let end = "Streams-End"

    static let allAnswers = Array("NATS/1.0\r\n\(answers): all\r\n\r\n".utf8)
}

extension NATSMessage where Body == Data {
    /// Whether the message only signals that the answers are complete.
    fileprivate var isEnd: Bool { headers[ServiceHeader.end] == "completed" }

    /// - Throws: the error that the server or the responder sent instead of an answer.
    func checkAnswer(on subject: String) throws(NATSError) {
        if headers.status == 503, body.isEmpty { throw .noResponders(subject: subject) }
        guard let code = headers[ServiceHeader.code] else { return }
        let reason = headers[ServiceHeader.error] ?? "no reason given"
        throw .service(subject: subject, code: Int(code) ?? 500, reason: reason.printableBeginning)
    }
}

extension NATSConnection {
    /// Returns a node that asks a question on a subject; see ``NATSRequestNode``.
    public func requestNode<Question: Encodable & Sendable, Answer: Decodable & Sendable>(
        _ subject: String, _ question: Question.Type, _ answer: Answer.Type,
        answers: NATSRequestNode<Question, Answer>.Answers = .first, timeout: Duration? = nil
    ) -> NATSRequestNode<Question, Answer> {
        NATSRequestNode(self, subject, answers: answers, timeout: timeout)
    }

    /// Asks once for each subscriber, and emits the answering message without decoding it.
    public func request(_ payload: Data, to subject: String, headers: NATSHeaders = NATSHeaders(), timeout: Duration? = nil) -> Single<
        NATSMessage<Data>
    > {
        let timeout = timeout ?? configuration.requestTimeout
        let late = Observable<NATSMessage<Data>>.error(NATSError.timedOut(subject: subject, after: timeout))
        let answer = Observable<NATSMessage<Data>>.deferred { [core] in
            core.answers(to: subject, headers: headers.isEmpty ? nil : try headers.encoded()) { () throws(NATSError) in payload }
        }
        .take(1).timeout(timeout, other: late, scheduler: configuration.scheduler)
        .map { message in
            try message.checkAnswer(on: subject)
            return message
        }
        return keepingConnection(answer).asSingle()
    }
}
