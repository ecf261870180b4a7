import OperatorCatalogue
import StreamsTesting
import Testing

/// One way into a stream that any number of threads may use at once.
struct EventInput: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether a subscriber gets what was sent before it came.
    let holds: Bool
    /// Whether it takes terminal events.
    let ends: Bool
    /// Whether a subscriber after the end waits for another source, and does not receive the terminal event.
    let restarts: Bool
    let make: @Sendable () -> (input: AnyObserver<Probed>, output: Observable<Probed>)

    init(
        _ name: String, holds: Bool = false, ends: Bool = true, restarts: Bool = false,
        _ make: @escaping @Sendable () -> (input: AnyObserver<Probed>, output: Observable<Probed>)
    ) {
        self.name = name
        self.holds = holds
        self.ends = ends
        self.restarts = restarts
        self.make = make
    }

    init<Subject: ObserverType<Probed> & ObservableType<Probed>>(
        _ name: String, holds: Bool = false, ends: Bool = true, subject: @escaping @Sendable () -> Subject
    ) {
        self.init(name, holds: holds, ends: ends) {
            let subject = subject()
            return (subject.asObserver(), subject.asObservable())
        }
    }

    var testDescription: String { name }

    /// Every event input; `AsyncSubject`, which sends one element only, has tests of its own.
    static let all = [
        EventInput("PublishSubject") { PublishSubject<Probed>() },
        EventInput("BehaviorSubject", holds: true) { BehaviorSubject(value: Probed(-1)) },
        EventInput("ReplaySubject", holds: true) { ReplaySubject<Probed>(bufferSize: 1) },
        EventInput("PublishRelay", ends: false) { PublishRelay<Probed>() },
        EventInput("BehaviorRelay", holds: true, ends: false) { BehaviorRelay(value: Probed(-1)) },
        EventInput("ReplayRelay", holds: true, ends: false) { ReplayRelay<Probed>(bufferSize: 1) },
        EventInput("create", make: EventInput.created),
        EventInput("multicast", restarts: true) {
            let subject = PublishSubject<Probed>()
            let connectable = subject.publish()
            _ = connectable.connect()
            return (subject.asObserver(), connectable.asObservable())
        },
    ]

    private init(_ name: String, make: @escaping @Sendable () -> (input: AnyObserver<Probed>, output: Observable<Probed>)) {
        self.init(name, holds: false, ends: true, make)
    }

    /// The observer of `create`, exposed: it emits to the latest subscriber.
    private static func created() -> (input: AnyObserver<Probed>, output: Observable<Probed>) {
        let current = Lock<AnyObserver<Probed>?>(nil)
        let output = Observable<Probed>.create { observer in
            _ = current.withLock { current in
                defer { current = observer }
                return current
            }
            return Disposables.create {
                _ = current.withLock { $0.take() }
            }
        }
        return (AnyObserver { event in current.withLock { $0 }?.on(event) }, output)
    }
}
