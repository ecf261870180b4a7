import Streams
import StreamsTesting
import Testing

/// Streams drawn as text, one second a character: `-` is a second, `(12|)` is one instant, `|` the end, `#` an error.
///
/// A drawing has a virtual time of its own, and counts the library's objects that its streams leave behind.
struct Drawing: Sendable {
    struct Failure: Error, Equatable {}

    let scheduler = VirtualTimeScheduler()
    private let counter = Resources.Counter()
    private let origin = Origin()

    /// The second zero of the running `draw`.
    final class Origin: Sendable {
        private let time = Lock(Duration.zero)

        func begin(at now: Duration) {
            time.withLock { $0 = now }
        }

        func seconds(at now: Duration) -> Int {
            Int((now - time.withLock { $0 }) / .seconds(1))
        }
    }

    /// A source that starts anew for each subscriber.
    func cold(_ text: String) -> DrawnSource {
        DrawnSource(text, scheduler, origin, isHot: false)
    }

    /// A source that runs from second zero on, whoever listens.
    func hot(_ text: String) -> DrawnSource {
        DrawnSource(text, scheduler, origin, isHot: true)
    }

    /// Subscribes at a second zero of its own, disposes at second `end`, and draws what was heard meanwhile. Fails the test if something is left.
    func draw<Element>(
        until end: Int = 40, _ location: SourceLocation = #_sourceLocation, _ make: () -> Observable<Element>
    ) -> String {
        let heard = Lock<[Int: [String]]>([:])
        let now = scheduler.now
        origin.begin(at: now)
        Resources.$counter.withValue(counter) {
            let subscription = make().subscribe { [scheduler, origin] event in
                let second = origin.seconds(at: scheduler.now)
                heard.withLock { $0[second, default: []].append(Self.text(of: event)) }
            }
            scheduler.advance(to: now + .seconds(end))
            subscription.dispose()
            scheduler.advance(to: now + .seconds(end * 2))
        }
        #expect(counter.total == 0, "left behind: \(counter.byKind)", sourceLocation: location)
        return Self.line(heard.withLock { $0 })
    }

    private static func text<Element>(of event: Event<Element>) -> String {
        switch event {
        case .next(let element): "\(element)"
        case .error: "#"
        case .completed: "|"
        }
    }

    private static func line(_ heard: [Int: [String]]) -> String {
        guard let last = heard.keys.max() else { return "" }
        return (0...last).map { second in
            let texts = heard[second] ?? []
            return texts.count > 1 || texts.first.map { $0.count > 1 } ?? false ? "(\(texts.joined(separator: " ")))" : texts.first ?? "-"
        }
        .joined()
    }
}

/// A source that sends what its drawing says: digits as elements.
final class DrawnSource: ObservableType {
    private let events: [(second: Int, event: Event<Int>)]
    private let scheduler: VirtualTimeScheduler
    private let origin: Drawing.Origin
    private let isHot: Bool
    private let lives = Lock<[String]>([])

    init(_ text: String, _ scheduler: VirtualTimeScheduler, _ origin: Drawing.Origin, isHot: Bool) {
        self.scheduler = scheduler
        self.origin = origin
        self.isHot = isHot
        var second = 0
        var isGroup = false
        var events: [(Int, Event<Int>)] = []
        for character in text where character != " " {
            switch character {
            case "-": break
            case "(": isGroup = true
            case ")": isGroup = false
            case "|": events.append((second, .completed))
            case "#": events.append((second, .error(Drawing.Failure())))
            default: events.append((second, .next(character.wholeNumberValue ?? -1)))
            }
            if !isGroup { second += 1 }
        }
        self.events = events
    }

    /// When each subscription began and ended, in seconds: `0-4`, or `0-` for one that runs.
    var subscriptions: [String] { lives.withLock { $0 } }

    func asObservable() -> Observable<Int> {
        Observable { [self] downstream, lifetime in
            let start = second
            let index = lives.withLock { lives in
                lives.append("\(start)-")
                return lives.count - 1
            }
            lifetime.add { [self] in
                let end = second
                lives.withLock { $0[index] += "\(end)" }
            }
            for (second, event) in events where !isHot || second >= start {
                let delay = isHot ? second - start : second
                lifetime.add(
                    scheduler.schedule(after: .seconds(delay)) {
                        guard !lifetime.isDisposed else { return }
                        downstream.on(event)
                    })
            }
        }
    }

    private var second: Int { origin.seconds(at: scheduler.now) }
}

/// What a stream sends while it is being subscribed, as text.
func heard<Element>(_ stream: Observable<Element>) -> [String] {
    let events = Lock<[String]>([])
    let subscription = stream.subscribe { event in
        let text =
            switch event {
            case .next(let element): "\(element)"
            case .error(let error): "# \(error)"
            case .completed: "|"
            }
        events.withLock { $0.append(text) }
    }
    subscription.dispose()
    return events.withLock { $0 }
}

/// Counts on several threads.
final class Tally: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add(_ amount: Int = 1) {
        count.withLock { $0 += amount }
    }
}
