#if canImport(Combine)
    import Combine
    import Schedulers

    extension ObservableType {
        /// Returns this stream as a Combine publisher, which subscribes anew for each subscriber.
        ///
        /// ```swift
        /// quotes.asPublisher(overflow: .latest).sink { _ in } receiveValue: { show($0) }
        /// ```
        ///
        /// Elements without demand are buffered as `policy` defines. Cancelling disposes. Elements are delivered where upstream emits.
        /// Source: [Combine, Publisher](https://developer.apple.com/documentation/combine/publisher).
        public func asPublisher(overflow policy: BufferingPolicy = .unbounded) -> StreamPublisher<Element> {
            StreamPublisher(source: asObservable(), policy: policy)
        }
    }

    extension Publisher where Output: Sendable {
        /// Returns this publisher as a stream, which subscribes anew for each subscriber; disposing cancels.
        ///
        /// ```swift
        /// NotificationCenter.default.publisher(for: name).map(\.object).asObservable()
        /// ```
        ///
        /// Its demand is unlimited. Source: [Combine, Publisher](https://developer.apple.com/documentation/combine/publisher).
        public func asObservable() -> Observable<Output> {
            let connect = Foreign { (observer: AnyObserver<Output>) in
                sink { completion in
                    switch completion {
                    case .finished: observer.onCompleted()
                    case .failure(let error): observer.onError(error)
                    }
                } receiveValue: { element in
                    observer.onNext(element)
                }
            }
            return Observable.create { observer in
                let cancellable = Foreign(connect.value(observer))
                return Disposables.create { cancellable.value.cancel() }
            }
        }
    }

    /// The publisher returned by `asPublisher()`.
    public struct StreamPublisher<Output: Sendable>: Publisher {
        public typealias Failure = any Error

        let source: Observable<Output>
        let policy: BufferingPolicy

        public func receive<Receiver: Subscriber>(subscriber: Receiver) where Receiver.Input == Output, Receiver.Failure == any Error {
            let demanded = Demanded<Output>(
                Target(send: subscriber.receive, finish: subscriber.receive(completion:)), policy)
            subscriber.receive(subscription: demanded)
            demanded.subscribe(to: source)
        }
    }

    /// A value of Combine, which manages its own thread safety: a publisher, a subscriber, a cancellable.
    private struct Foreign<Value>: @unchecked Sendable {
        // Sound by Combine's contract: these may be used from any thread, and a subscriber is called serially below (law 2).
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    /// The methods of a subscriber of any type.
    private struct Target<Input> {
        let send: (Input) -> Subscribers.Demand
        let finish: (Subscribers.Completion<any Error>) -> Void
    }

    /// The demand of one subscriber, and its buffered elements.
    private final class Demanded<Input: Sendable>: Subscription, Sendable {
        private struct State {
            var events: BufferedEvents<Input>
            var demand = Subscribers.Demand.none
            var target: Foreign<Target<Input>>?

            /// Takes the next element or completion to deliver, if there is demand. Completion needs no demand.
            mutating func next() -> (Foreign<Target<Input>>, Event<Input>)? {
                guard let target else { return nil }
                if demand > .none, let element = events.elements.popFirst() {
                    demand -= 1
                    return (target, .next(element))
                }
                guard events.elements.isEmpty, let stop = events.stop.take() else { return nil }
                self.target = nil
                return (target, stop)
            }
        }

        private let state: Lock<State>
        private let serializer = Serializer()
        private let lifetime = Lifetime()

        init(_ target: Target<Input>, _ policy: BufferingPolicy) {
            state = Lock(State(events: BufferedEvents(policy), target: Foreign(target)))
        }

        func subscribe(to source: Observable<Input>) {
            source.start(
                AnyObserver { [self] event in
                    guard lifetime.admits(event) else { return }
                    take(event)
                }, lifetime)
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.demand += demand }
            deliver()
        }

        func cancel() {
            lifetime.dispose()
            // Passed out of the lock: the elements and the subscriber are a user's.
            _ = state.withLock { state in (state.target.take(), state.events.removeAll()) }
        }

        private func take(_ event: Event<Input>) {
            if case .overflow = state.withLock({ $0.events.append(event) }) { lifetime.dispose() }
            deliver()
        }

        /// Delivers the demanded elements, one at a time.
        private func deliver() {
            serializer.enqueue { [self] in
                while let (target, event) = state.withLock({ $0.next() }) {
                    switch event {
                    case .next(let element):
                        let further = target.value.send(element)
                        state.withLock { $0.demand += further }
                    case .error(let error): target.value.finish(.failure(error))
                    case .completed: target.value.finish(.finished)
                    }
                }
            }
        }
    }
#endif
