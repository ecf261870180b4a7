/// Propagates the resource counter of the subscribing test to events that are delivered later on another queue. Empty in release builds.
package struct ResourceCounting: Sendable {
    package init() {}

    #if DEBUG
        private let counter = Resources.counter
    #endif

    package func callAsFunction(_ action: () -> Void) {
        #if DEBUG
            Resources.$counter.withValue(counter, operation: action)
        #else
            action()
        #endif
    }
}
