/// Propagates the resource counter of the subscribing test to events that are delivered later on another queue. Empty in release builds.
@usableFromInline
package struct ResourceCounting: Sendable {
    #if DEBUG
        private let counter = Resources.counter

        package init() {}

        @usableFromInline
        package func callAsFunction(_ action: () -> Void) {
            Resources.$counter.withValue(counter, operation: action)
        }
    #else
        @inlinable package init() {}

        @inlinable package func callAsFunction(_ action: () -> Void) { action() }
    #endif
}
