/// What a class offers to streams, under `.rx`: binders for its settable properties, and what extensions add.
///
/// ```swift
/// title.bind(to: label.rx.text).disposed(by: bag)
/// ```
///
/// Properties of main-actor classes come by themselves in main-actor code; an extension of `Reactive where Base == YourView` works
/// anywhere. Source: [RxSwift, Reactive](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Reactive.swift).
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The object itself.
    public let base: Base

    /// Makes the face of `base`.
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

/// Gives a class `.rx`: one empty line, `extension View: ReactiveCompatible {}`.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
    /// What this offers to streams.
    public var rx: Reactive<Self> { Reactive(self) }

    /// What the type itself offers to streams.
    public static var rx: Reactive<Self>.Type { Reactive<Self>.self }
}
