import Schedulers

/// A property that is a stream as well: `$state` sends the value it has and each that it gets.
///
/// ```swift
/// @MainActor final class ItemList {
///     @Streamed private(set) var items: [Item] = []
///     func load() { responses.map(\.items).replaceError(with: []).assign(to: $items) }
/// }
/// let list = ItemList()
/// list.$items.bind { items in table.show(items) }
/// ```
///
/// For main-actor classes, actors and structs. A `Sendable` class cannot have stored `var`s: there, use a `BehaviorRelay`.
/// Source: [Combine, Published](https://developer.apple.com/documentation/combine/published).
@propertyWrapper
public struct Streamed<Value: Sendable>: Sendable {
    /// The property as a stream, and as what `assign(to:)` takes.
    public let projectedValue: StreamedProperty<Value>

    /// Makes a property that holds `wrappedValue`.
    public init(wrappedValue: Value) {
        projectedValue = StreamedProperty(wrappedValue)
    }

    /// The value assigned last.
    public var wrappedValue: Value {
        get { projectedValue.relay.value }
        nonmutating set { projectedValue.relay.accept(newValue) }
    }
}

/// A `@Streamed` property from outside: a stream of its values that never fails.
///
/// What is assigned to it lives as long as the property does.
public final class StreamedProperty<Value: Sendable>: ObservableType {
    let relay: BehaviorRelay<Value>
    /// The parent of what is assigned to the property.
    let assignments = Lifetime()

    init(_ value: Value) {
        relay = BehaviorRelay(value: value)
    }

    deinit {
        assignments.dispose()
    }

    public func asObservable() -> Observable<Value> {
        relay.asObservable()
    }

    /// This property as a stream that cannot fail.
    public func asInfallible() -> Infallible<Value> {
        Infallible(unfailing: asObservable())
    }

    /// This property as a driver.
    public func asDriver() -> Driver<Value> {
        relay.asDriver()
    }
}
