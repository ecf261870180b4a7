import Schedulers

/// A property wrapper whose property is also a stream: `$state` emits the current value and each new one.
///
/// ```swift
/// @MainActor final class ItemList {
///     @Streamed private(set) var items: [Item] = []
///     func load() { responses.map(\.items).replaceError(with: []).assign(to: &$items) }
/// }
/// let list = ItemList()
/// list.$items.bind { items in table.show(items) }
/// ```
///
/// You can subscribe to `$items` wherever the property is visible, and assign to `$items` wherever it can be set. The wrapper is for
/// main-actor classes, actors and structs. A `Sendable` class cannot have stored `var`s: use a `BehaviorRelay` there. Source: [Combine,
/// Published](https://developer.apple.com/documentation/combine/published).
@propertyWrapper
public struct Streamed<Value: Sendable>: Sendable {
    @usableFromInline let storage: Storage

    /// Creates a property with an initial value.
    @inlinable
    public init(wrappedValue: Value) {
        storage = Storage(BehaviorRelay(value: wrappedValue))
    }

    /// The value that was assigned last.
    public var wrappedValue: Value {
        @inlinable get { storage.relay.value }
        @inlinable nonmutating set { storage.relay.accept(newValue) }
    }

    /// The property as a stream. With `&`, it is the argument of `assign(to:)`, wherever the property may be set.
    public var projectedValue: StreamedProperty<Value> {
        @inlinable get { StreamedProperty(relay: storage.relay) }
        @inlinable nonmutating set { if let source = newValue.source { storage.follow(source) } }
    }

    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let relay: BehaviorRelay<Value>
        /// The parent of the assignments to the property.
        @usableFromInline let assignments = Lifetime()

        @inlinable
        init(_ relay: BehaviorRelay<Value>) {
            self.relay = relay
        }

        deinit {
            assignments.dispose()
        }

        @inlinable
        func follow(_ source: Observable<Value>) {
            source.subscribe(in: assignments.child()) { [weak relay] event in
                event.relayed { element in relay?.accept(element) }
            }
        }
    }
}

/// The projection of a `@Streamed` property: a stream of its values that never fails.
///
/// A copy is no longer the property: assigning to the copy has no effect.
public struct StreamedProperty<Value: Sendable>: ObservableType {
    @usableFromInline let relay: BehaviorRelay<Value>
    /// The stream that `assign(to:)` lets the property follow; it takes effect where the property is set.
    @usableFromInline var source: Observable<Value>?

    @inlinable
    init(relay: BehaviorRelay<Value>) {
        self.relay = relay
    }

    @inlinable
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
