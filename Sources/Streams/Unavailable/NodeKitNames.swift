// Spellings of NodeKit that are not declared here, so that the compiler can name the replacement.

extension Observer {
    /// NodeKit's `onCanceled(_:)`.
    @available(*, unavailable, renamed: "onCancelled(_:)")
    @discardableResult public final func onCanceled(_ listener: @escaping @Sendable () -> Void) -> Self { unavailable() }
}

extension MainObserver {
    /// NodeKit's `onCanceled(_:)`.
    @available(*, unavailable, renamed: "onCancelled(_:)")
    @discardableResult public func onCanceled(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self { unavailable() }
}
