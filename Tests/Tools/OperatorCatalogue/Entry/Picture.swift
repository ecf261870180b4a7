import StreamsTesting

/// One operator's marble diagram: the inputs, the output, and when each upstream is subscribed to and disposed. The same picture
/// stands in the operator's documentation.
package struct Picture: Sendable, CustomStringConvertible {
    package internal(set) var name = ""
    var isCold = false
    package let inputs: [String]
    package let result: String
    package var legend: [Character: String] = [:]
    package var error: any Error = TestError.failed
    /// The subscriptions of each input, as diagrams with a space between them; nil where they do not show.
    package let subscriptions: [String]?
    let make: @Sendable (PictureInputs) -> Observable<String>

    package var description: String { name }

    /// The lines that the documentation of the operator shows.
    package var lines: [String] { inputs + [result] }

    /// What one run of the operator shows.
    package struct Run {
        package let observer: TestObserver<String>
        /// The subscriptions of each input, drawn as in `Picture.subscriptions`.
        package let subscriptions: [String]
    }

    /// Runs the operator under virtual time.
    package func run() throws -> Run {
        let scheduler = TestScheduler()
        guard !isCold else {
            let sources = try inputs.map { try scheduler.cold($0, of: String.self) }
            return run(on: sources.map { $0.asObservable() }, scheduler) { sources.map(\.subscriptions) }
        }
        let sources = try inputs.map { try scheduler.hot($0, of: String.self) }
        return run(on: sources.map { $0.asObservable() }, scheduler) { sources.map(\.subscriptions) }
    }

    private func run(
        on sources: [Observable<String>], _ scheduler: TestScheduler, subscriptions: () -> [[SubscriptionInterval]]
    ) -> Run {
        let observer = scheduler.start(disposed: 40) { make(PictureInputs(sources, scheduler)) }
        return Run(observer: observer, subscriptions: subscriptions().map { $0.map(MarblePrinter.draw).joined(separator: " ") })
    }
}

/// What a picture's operator is applied to.
package final class PictureInputs: Sendable {
    let scheduler: TestScheduler
    private let sources: [Observable<String>]

    init(_ sources: [Observable<String>], _ scheduler: TestScheduler) {
        self.sources = sources
        self.scheduler = scheduler
    }

    var letters: Observable<String> { sources[0] }
    var others: Observable<String> { sources[1] }
    var numbers: Observable<Int> { letters.map { Int($0) ?? -1 } }
    var otherNumbers: Observable<Int> { others.map { Int($0) ?? -1 } }

    /// Loads for three seconds what it is asked for.
    var loading: @Sendable (String) -> Observable<String> {
        { [scheduler] letter in Observable.timer(.seconds(3), scheduler: scheduler).map { (_: Int) in letter } }
    }
}
