/// The reactive extensions of a class, under `.rx`: binders for its settable properties, and custom additions.
///
/// ```swift
/// title.bind(to: label.rx.text).disposed(by: bag)
/// ```
///
/// Binders for properties of main-actor classes are available automatically in main-actor code; an extension of `Reactive where Base ==
/// YourView` works anywhere.
///
/// Source: [RxSwift, Reactive](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Reactive.swift).
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The extended object.
    public let base: Base

    /// Creates the reactive extensions of `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}

extension Reactive where Base: AnyObject & Sendable {
    /// A binder that sets the property at `keyPath` on the main loop.
    public subscript<Value: Sendable>(dynamicMember keyPath: ReferenceWritableKeyPath<Base, Value> & Sendable) -> Binder<Value> {
        Binder(base) { base, value in base[keyPath: keyPath] = value }
    }
}

/// Adds `.rx` to a class: `extension View: ReactiveCompatible {}`.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
    /// The reactive extensions of this object.
    public var rx: Reactive<Self> { Reactive(self) }

    /// The reactive extensions of the type.
    public static var rx: Reactive<Self>.Type { Reactive<Self>.self }
}
