// Spellings of NodeKit under which nothing is declared here, so that the compiler can say what to write instead.

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
