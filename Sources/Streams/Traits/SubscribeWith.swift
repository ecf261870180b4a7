extension PrimitiveSequence where Kind == TraitKind.Single {
    /// Subscribes with closures that receive `object`, captured weakly: after its deallocation no closure is called any more. An error
    /// without an `onFailure` is reported to `Hooks.unhandledError`.
    @inlinable
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onFailure: (@Sendable (Object, any Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: weakly(object, onSuccess), onFailure: weakly(object, onFailure), onDisposed: weakly(object, onDisposed))
    }
}

extension PrimitiveSequence where Kind == TraitKind.Maybe {
    /// Subscribes with closures that receive `object`, captured weakly: after its deallocation no closure is called any more. An error
    /// without an `onError` is reported to `Hooks.unhandledError`.
    @inlinable
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: weakly(object, onSuccess), onError: weakly(object, onError), onCompleted: weakly(object, onCompleted),
            onDisposed: weakly(object, onDisposed))
    }
}

extension PrimitiveSequence where Kind == TraitKind.Completable, Element == Never {
    /// Subscribes with closures that receive `object`, captured weakly: after its deallocation no closure is called any more. An error
    /// without an `onError` is reported to `Hooks.unhandledError`.
    @inlinable
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onCompleted: weakly(object, onCompleted), onError: weakly(object, onError), onDisposed: weakly(object, onDisposed))
    }
}

extension InfallibleSequence where Kind == TraitKind.Infallible {
    /// Subscribes with closures that receive `object`, captured weakly: after its deallocation no closure is called any more.
    @inlinable
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onNext: weakly(object, onNext), onCompleted: weakly(object, onCompleted), onDisposed: weakly(object, onDisposed))
    }
}

/// Returns `nil` if there is no closure, so that an unhandled error does not appear to be handled.
@inlinable
func weakly<Object: AnyObject & Sendable, Value>(
    _ object: Object, _ closure: (@Sendable (Object, Value) -> Void)?
) -> (@Sendable (Value) -> Void)? {
    guard let closure else { return nil }
    return { [weak object] value in
        if let object { closure(object, value) }
    }
}

@inlinable
func weakly<Object: AnyObject & Sendable>(_ object: Object, _ closure: (@Sendable (Object) -> Void)?) -> (@Sendable () -> Void)? {
    guard let closure else { return nil }
    return { [weak object] in
        if let object { closure(object) }
    }
}
