import Schedulers

/// A property wrapper whose property is also a stream: `$state` emits the current value and each new one.
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
    /// The property as a stream, and as the argument of `assign(to:)`.
    public let projectedValue: StreamedProperty<Value>

    /// Creates a property with an initial value.
    public init(wrappedValue: Value) {
        projectedValue = StreamedProperty(wrappedValue)
    }

    /// The value assigned last.
    public var wrappedValue: Value {
        get { projectedValue.relay.value }
        nonmutating set { projectedValue.relay.accept(newValue) }
    }
}

/// The projection of a `@Streamed` property: a stream of its values that never fails.
///
/// Assignments to it last until the property is deallocated.
public final class StreamedProperty<Value: Sendable>: ObservableType {
    let relay: BehaviorRelay<Value>
    /// The parent of the assignments to the property.
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

    /// Returns this property as a stream that cannot fail.
    public func asInfallible() -> Infallible<Value> {
        Infallible(infallible: asObservable())
    }

    /// Returns this property as a driver.
    public func asDriver() -> Driver<Value> {
        relay.asDriver()
    }
}
