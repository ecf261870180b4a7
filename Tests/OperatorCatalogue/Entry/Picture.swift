import StreamsTesting

/// One operator's marble diagram: the inputs, the output, and when each upstream is subscribed to and disposed. The same picture
/// stands in the operator's documentation.
public struct Picture: Sendable, CustomStringConvertible {
    public internal(set) var name = ""
    public internal(set) var isCold = false
    public let inputs: [String]
    public let result: String
    public var legend: [Character: String] = [:]
    public var error: any Error = TestError.failed
    /// The subscriptions of each input, as diagrams separated by spaces; `nil` if they are not shown.
    public let subscriptions: [String]?
    /// The place in the catalogue, as `#fileID` and the line: the book shows the code at that place.
    public let place: (file: String, line: Int)
    let make: @Sendable (PictureInputs) -> Observable<String>

    public var description: String { name }

    /// The lines that the documentation of the operator shows.
    public var lines: [String] { inputs + [result] }

    /// The result of one run of the operator.
    public struct Run {
        public let observer: TestObserver<String>
        /// The events of each input; for a cold input, relative to its subscription.
        public let events: [[Recorded<String>]]
        /// The subscriptions of each input.
        public let intervals: [[TestScheduler.Subscription]]
        /// The streams that the operator's closure returned, in the order in which the operator asked for them.
        public let inner: [InnerStream]
        /// The events that a second subscriber receives, if there is one.
        public let later: TestObserver<String>?

        /// The subscriptions of each input, drawn as in `Picture.subscriptions`.
        public var subscriptions: [String] { intervals.map { $0.map(Marble.Printer.draw).joined(separator: " ") } }
    }

    /// A stream that an operator's closure returned for an element.
    public struct InnerStream: Sendable {
        public let element: String
        /// The events, relative to the subscription.
        public let events: [Recorded<String>]
        public let intervals: [TestScheduler.Subscription]
    }

    /// A subscription from the beginning to the terminal event of `result`, or to the group of events that contains it.
    static func subscription(until result: String) -> String {
        let before = result.hasSuffix(")") ? result.prefix(upTo: result.lastIndex(of: "(") ?? result.endIndex) : result.dropLast()
        return "^" + String(repeating: "-", count: max(0, before.count - 1)) + "!"
    }

    /// The tick at which the subscriber of a picture disposes, if the operator has not terminated by then.
    public static let disposal = 40

    /// Runs the operator under virtual time; with a second subscriber to the same stream from a tick on, if one is given.
    public func run(secondSubscriberAt second: Int? = nil) throws -> Run {
        let scheduler = TestScheduler()
        guard !isCold else {
            let sources = try inputs.map { try scheduler.cold($0, of: String.self) }
            return run(on: sources.map { $0.asObservable() }, sources.map(\.events), scheduler, second) { sources.map(\.subscriptions) }
        }
        let sources = try inputs.map { try scheduler.hot($0, of: String.self) }
        return run(on: sources.map { $0.asObservable() }, sources.map(\.events), scheduler, second) { sources.map(\.subscriptions) }
    }

    private func run(
        on sources: [Observable<String>], _ events: [[Recorded<String>]], _ scheduler: TestScheduler, _ second: Int?,
        intervals: () -> [[TestScheduler.Subscription]]
    ) -> Run {
        let inputs = PictureInputs(sources, scheduler)
        let stream = make(inputs)
        let later = second.map { _ in scheduler.observer(of: String.self) }
        let subscription = SerialDisposable()
        if let second, let later { scheduler.schedule(at: second) { subscription.disposable = stream.subscribe(later) } }
        let observer = scheduler.start(disposed: Self.disposal) { stream }
        subscription.dispose()
        return Run(observer: observer, events: events, intervals: intervals(), inner: inputs.innerStreams, later: later)
    }
}

/// The inputs to which a picture's operator is applied.
public final class PictureInputs: Sendable {
    let scheduler: TestScheduler
    private let sources: [Observable<String>]
    private let loads = Loads()

    init(_ sources: [Observable<String>], _ scheduler: TestScheduler) {
        self.sources = sources
        self.scheduler = scheduler
    }

    // The book reads these names in the code of a picture: see `PictureCode`.
    var letters: Observable<String> { sources[0] }
    var others: Observable<String> { sources[1] }
    var numbers: Observable<Int> { numbers(0) }
    var otherNumbers: Observable<Int> { numbers(1) }

    /// The elements of one of several inputs.
    func numbers(_ index: Int) -> Observable<Int> {
        sources[index].map { Int($0) ?? -1 }
    }

    /// Returns a stream that loads the requested text for three seconds.
    var loading: @Sendable (String) -> Observable<String> {
        { [scheduler, loads] letter in loads.add(letter, scheduler.cold([.next(3, letter), .completed(3)])) }
    }

    var innerStreams: [Picture.InnerStream] { loads.streams }
}

/// The loads of one run.
private final class Loads: Sendable {
    private let entries = Lock<[(element: String, stream: TestScheduler.ColdObservable<String>)]>([])

    func add(_ element: String, _ stream: TestScheduler.ColdObservable<String>) -> Observable<String> {
        entries.withLock { $0.append((element, stream)) }
        return stream.asObservable()
    }

    var streams: [Picture.InnerStream] {
        entries.withLock { $0 }.map {
            Picture.InnerStream(element: $0.element, events: $0.stream.events, intervals: $0.stream.subscriptions)
        }
    }
}
