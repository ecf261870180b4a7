import Foundation
import StreamsTesting

@testable import NetNodes

/// The effects of one form of a step.
struct FormOutcome: Equatable, Sendable {
    var elements: [String] = []
    var ending = "pending"
    var log: [String] = []
    var sent: [HTTPRequest] = []
    /// The number of attempts that were disposed before they ended.
    var disposed = 0
    /// The requests and events after the interruption had ended.
    var late = 0
}

/// How and when a run is ended from outside.
struct Interruption: Equatable, Sendable, CustomStringConvertible {
    enum Act: CaseIterable { case dispose, abort }

    /// Where a request is: attempts are counted from 1.
    enum Stage: Hashable {
        case beforeStart
        case sending(Int)
        case waiting(Int)
        case received(Int)
        case emitted
    }

    let act: Act
    let stage: Stage

    var description: String { "\(act) \(stage)" }

    /// How many attempts there are until then.
    var attempts: Int {
        switch stage {
        case .sending(let attempt), .waiting(let attempt), .received(let attempt): attempt
        case .beforeStart, .emitted: 1
        }
    }

    static let all = Act.allCases.flatMap { act in
        [Stage.beforeStart, .sending(1), .waiting(1), .received(1), .sending(2), .waiting(2), .received(2), .emitted].map {
            Interruption(act: act, stage: $0)
        }
    }
}

/// One run of a form against a server that gives these answers, the last one from then on.
final class FormRun: Sendable {
    private let outcome = Lock(FormOutcome())
    private let answers: [Answer]
    private let isFailing: Bool
    private let interruption: Interruption?
    private let aborter = Aborter()
    private let isDisposed = BehaviorRelay(value: false)
    private let isInterrupted = Lock(false)

    private init(_ answers: [Answer], isFailing: Bool, _ interruption: Interruption?) {
        (self.answers, self.isFailing, self.interruption) = (answers, isFailing, interruption)
    }

    /// - Parameters:
    ///   - failing: whether an unsuccessful status is an error already, as it is outside of the check of the status.
    ///   - interruption: ends the run; without it, it is disposed when nothing more happens by itself.
    static func outcome(
        of form: StepForm, _ request: HTTPRequest, _ answers: [Answer], failing: Bool, _ interruption: Interruption? = nil
    ) -> FormOutcome {
        let run = FormRun(answers, isFailing: failing, interruption)
        run.perform(form, request)
        return run.outcome.withLock { $0 }
    }

    private func perform(_ form: StepForm, _ request: HTTPRequest) {
        let stream = form(request) { [self] in send($0) }.abortable(by: aborter).logged(.from(.debug)) { [self] operation in
            outcome.withLock { $0.log = operation.messages.map { "\($0.node): \($0.text)" } + ["\(operation.ending)"] }
        }
        reach(.beforeStart)
        // By a signal: what `subscribe` returns is there only when the synchronous part of a run is over.
        let subscription = stream.take(until: isDisposed.filter { $0 }).subscribe(
            onNext: { [self] element in
                note { $0.elements.append(element) }
                reach(.emitted)
            },
            onError: { [self] error in outcome.withLock { $0.ending = "\(error)" } },
            onCompleted: { [self] in if !isDisposed.value { outcome.withLock { $0.ending = "completed" } } })
        for attempt in 1...2 { reach(.waiting(attempt)) }
        subscription.dispose()
    }

    private func send(_ request: HTTPRequest) -> Observable<HTTPResponse> {
        .deferred { [self] in
            note { $0.sent.append(request) }
            let attempt = outcome.withLock { $0.sent.count }
            reach(.sending(attempt))
            guard let response = try answers[min(attempt, answers.count) - 1].response(to: request) else {
                return .never().do(onDispose: { [self] in outcome.withLock { $0.disposed += 1 } })
            }
            if isFailing, let error = HTTPError(response) { throw error }
            return .just(response).do(onNext: { [self] _ in reach(.received(attempt)) })
        }
    }

    private func note(_ change: (inout FormOutcome) -> Void) {
        let isLate = isInterrupted.withLock { $0 }
        outcome.withLock { outcome in
            change(&outcome)
            if isLate { outcome.late += 1 }
        }
    }

    /// Ends the run if this is the stage for it.
    private func reach(_ stage: Interruption.Stage) {
        guard let interruption, interruption.stage == stage else { return }
        if case .waiting(let attempt) = stage {
            guard outcome.withLock({ $0.sent.count == attempt && $0.ending == "pending" }) else { return }
        }
        switch interruption.act {
        case .dispose: isDisposed.accept(true)
        case .abort: aborter.abort()
        }
        isInterrupted.withLock { $0 = true }
    }
}
