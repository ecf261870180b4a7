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
        public func asPublisher(overflow policy: BufferingPolicy = .standard) -> StreamPublisher<Element> {
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
            let target = Foreign(Target<Output>(send: subscriber.receive, finish: subscriber.receive(completion:)))
            let queue = DemandQueue<Output>(policy) { event in
                switch event {
                case .next(let element): return target.value.send(element).count
                case .error(let error): target.value.finish(.failure(error))
                case .completed: target.value.finish(.finished)
                }
                return 0
            }
            subscriber.receive(subscription: queue)
            queue.subscribe(to: source)
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

    /// The methods of a subscriber of any type: a closure cannot capture the type itself.
    private struct Target<Input> {
        let send: (Input) -> Subscribers.Demand
        let finish: (Subscribers.Completion<any Error>) -> Void
    }

    extension DemandQueue: Subscription {
        func request(_ demand: Subscribers.Demand) {
            request(demand.count)
        }
    }

    extension Subscribers.Demand {
        /// `Int.max` is no limit.
        fileprivate var count: Int { max ?? .max }
    }
#endif
