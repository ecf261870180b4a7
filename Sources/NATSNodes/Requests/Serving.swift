import Foundation
public import SocketNodes

extension NATSConnection {
    /// Responds to the questions on a subject while it is subscribed to.
    ///
    /// ```swift
    /// bus.serve("time", as: String.self) { zone in Observable.just(time(in: zone)) }.subscribe().disposed(by: bag)
    /// ```
    ///
    /// Each answer is sent as it is emitted. An error is sent as ``NATSError/service(subject:code:reason:)``, with its
    /// `redactedDescription` if it has one, and otherwise with the name of its type. A question that cannot be decoded is answered with
    /// code 400, and one for which there is no room with 503. ``events`` reports a question without a reply subject that cannot be decoded,
    /// and an error that cannot be published to the reply subject. The stream itself fails only if the subscription does. It completes when
    /// the connection is drained and the questions that it had are answered.
    ///
    /// - Parameters:
    ///   - subject: the subject of the requests.
    ///   - type: the type of the requests.
    ///   - queue: a group, in any number of processes; one member of the group answers each question.
    ///   - maxConcurrent: how many questions are answered at a time; a thousand more may wait.
    ///   - respond: called for each question, on the thread of the messages.
    public func serve<Question: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ subject: String, as type: Question.Type, queue: String? = nil, maxConcurrent: Int = 64,
        _ respond: @escaping @Sendable (Question) throws -> Observable<Answer>
    ) -> Completable {
        let questions = received(subject, queue: queue)
        return Observable<Never>.deferred { [self] in
            let room = Bulkhead(maxConcurrent: maxConcurrent, queueCapacity: Self.waitingQuestions)
            return questions.flatMap { [self] message in
                answers(to: message, respond).bulkhead(room).catch { error in
                    self.core.unlessSkipped { () throws(NATSError) in try self.send(error, answering: message) }
                    return .empty()
                }
            }
        }
        .take(until: closing)
        .do(onSubscribe: { [core] in core.responders.enter() }, onDispose: { [core] in core.responders.leave() })
        .asCompletable()
    }

    /// Fails when the connection is closed. A drained connection takes no further questions, and still has answers in progress.
    private var closing: Observable<Event> {
        events.filter { event in
            if event == .closed { throw NATSError.closed }
            return false
        }
    }

    private static let waitingQuestions = 1_000

    /// Sends the answers to one question.
    private func answers<Question: Decodable & Sendable, Answer: Encodable & Sendable>(
        to message: NATSMessage<Data>, _ respond: @escaping @Sendable (Question) throws -> Observable<Answer>
    ) -> Observable<Never> {
        .deferred { [self] in
            let question = try coding.decode(Question.self, from: message.body, of: message.subject)
            let answers = try respond(question)
            guard let reply = message.reply else { return answers.ignoreElements() }
            return answers.do(
                onNext: { [self] in try publish($0, to: reply) },
                onCompleted: { [self] in
                    guard message.headers[ServiceHeader.answers] == "all" else { return }
                    try publish(Data(), to: reply, headers: [ServiceHeader.end: "completed"])
                }
            ).ignoreElements()
        }
    }

    /// - Throws: the reason why the error cannot be reported.
    private func send(_ error: any Error, answering message: NATSMessage<Data>) throws(NATSError) {
        guard let reply = message.reply else {
            if let error = error as? NATSError, case .undecodable = error { throw error }
            return
        }
        let code =
            switch error {
            case NATSError.undecodable: 400
            case Bulkhead.Failure.full: 503
            default: 500
            }
        let reason = redactedText(of: error).onOneLine
        try publish(Data(), to: reply, headers: [ServiceHeader.code: "\(code)", ServiceHeader.error: reason])
    }
}

extension String {
    /// The text with a blank for each control character; two of them may be one `Character`.
    fileprivate var onOneLine: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.lazy.map { $0.properties.generalCategory == .control ? " " : $0 })
        return text
    }
}
