#if canImport(Combine)
    import Combine
    import Schedulers

    extension ObservableType {
        /// This stream as a Combine publisher, which subscribes anew for each subscriber.
        ///
        /// ```swift
        /// quotes.asPublisher(overflow: .latest).sink { _ in } receiveValue: { show($0) }
        /// ```
        ///
        /// Elements for which there is no demand wait as `policy` says. Cancelling disposes. Elements come where upstream sends.
        /// Source: [Combine, Publisher](https://developer.apple.com/documentation/combine/publisher).
        public func asPublisher(overflow policy: BufferingPolicy = .unbounded) -> StreamPublisher<Element> {
            StreamPublisher(source: asObservable(), policy: policy)
        }
    }

    extension Publisher where Output: Sendable {
        /// This publisher as a stream, subscribed to anew for each subscriber; disposing cancels.
        ///
        /// ```swift
        /// NotificationCenter.default.publisher(for: name).map(\.object).asObservable()
        /// ```
        ///
        /// It asks for everything at once. Source: [Combine, Publisher](https://developer.apple.com/documentation/combine/publisher).
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

    /// A stream for Combine: what `asPublisher()` gives.
    public struct StreamPublisher<Output: Sendable>: Publisher {
        public typealias Failure = any Error

        let source: Observable<Output>
        let policy: BufferingPolicy

        public func receive<Receiver: Subscriber>(subscriber: Receiver) where Receiver.Input == Output, Receiver.Failure == any Error {
            let demanded = Demanded<Output>(
                Target(send: subscriber.receive, finish: subscriber.receive(completion:)), policy)
            subscriber.receive(subscription: demanded)
            demanded.listen(to: source)
        }
    }

    /// A value of Combine, which keeps its own threads apart: a publisher, a subscriber, a cancellable.
    private struct Foreign<Value>: @unchecked Sendable {
        // Combine's contract makes it sound: these may be used from any thread, and a subscriber is called serially below (law 2).
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    /// The ways into a subscriber of whatever type.
    private struct Target<Input> {
        let send: (Input) -> Subscribers.Demand
        let finish: (Subscribers.Completion<any Error>) -> Void
    }

    /// What one subscriber has asked for, and what waits for that.
    private final class Demanded<Input: Sendable>: Subscription, Sendable {
        private struct State {
            var waiting: PolicyBuffer<Input>
            var stop: Subscribers.Completion<any Error>?
            var demand = Subscribers.Demand.none
            var target: Foreign<Target<Input>>?

            /// The next thing to hand over, if it was asked for. The end needs no demand.
            mutating func next() -> (Foreign<Target<Input>>, Input?, Subscribers.Completion<any Error>?)? {
                guard let target else { return nil }
                if demand > .none, let element = waiting.popFirst() {
                    demand -= 1
                    return (target, element, nil)
                }
                guard waiting.isEmpty, let stop = stop.take() else { return nil }
                self.target = nil
                return (target, nil, stop)
            }
        }

        private let state: Lock<State>
        private let serializer = Serializer()
        private let lifetime = Lifetime()

        init(_ target: Target<Input>, _ policy: BufferingPolicy) {
            state = Lock(State(waiting: PolicyBuffer(policy), target: Foreign(target)))
        }

        func listen(to source: Observable<Input>) {
            source.start(
                AnyObserver { [self] event in
                    guard event.isStopEvent ? lifetime.end() : !lifetime.isDisposed else { return }
                    take(event)
                }, lifetime)
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.demand += demand }
            deliver()
        }

        func cancel() {
            lifetime.dispose()
            // Given out of the lock: the elements and the subscriber are a user's.
            _ = state.withLock { state in (state.target.take(), state.waiting.removeAll()) }
        }

        private func take(_ event: Event<Input>) {
            let outcome = state.withLock { state -> PolicyBuffer<Input>.Outcome in
                switch event {
                case .next(let element): return state.waiting.append(element)
                case .error(let error): state.stop = .failure(error)
                case .completed: state.stop = .finished
                }
                return .kept
            }
            if case .overflow(let capacity) = outcome {
                lifetime.dispose()
                state.withLock { $0.stop = .failure(StreamError.overflow(capacity: capacity)) }
            }
            deliver()
        }

        /// Hands over what was asked for, one at a time.
        private func deliver() {
            serializer.enqueue { [self] in
                while let (target, element, stop) = state.withLock({ $0.next() }) {
                    if let stop { return target.value.finish(stop) }
                    guard let element else { return }
                    let further = target.value.send(element)
                    state.withLock { $0.demand += further }
                }
            }
        }
    }
#endif
