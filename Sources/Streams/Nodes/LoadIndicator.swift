/// Counts the operations in progress, for a spinner or a status bar.
public final class LoadIndicator: Sendable {
    fileprivate let relay = BehaviorRelay(value: 0)

    /// Creates an indicator whose count is 0.
    public init() {}

    /// Emits the number of operations in progress: the current one, and each change.
    public var count: Observable<Int> { relay.asObservable() }

    /// Emits whether anything is in progress, on the main queue: the current value, and each change.
    public var isLoading: Driver<Bool> { relay.map { $0 > 0 }.distinctUntilChanged().asDriver(onErrorJustReturn: false) }
}

extension ObservableType {
    /// Counts on the indicator from the subscription to the terminal event or the disposal.
    ///
    /// ```swift
    /// numbers.trackActivity(indicator)
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [RxSwift,
    /// ActivityIndicator](https://github.com/ReactiveX/RxSwift/blob/main/RxExample/RxExample/Services/ActivityIndicator.swift).
    public func trackActivity(_ indicator: LoadIndicator) -> Observable<Element> {
        let source = asObservable()
        return .made { [relay = indicator.relay] lifetime in
            relay.update { $0 += 1 }
            lifetime.add { relay.update { $0 -= 1 } }
            return source
        }
    }
}
