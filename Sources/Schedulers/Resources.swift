import Synchronization

/// Counts the library's live objects in debug builds, so that a test can show that nothing has leaked (law 8).
///
/// A test binds a counter of its own (`Resources.$counter.withValue(...)`, or the `.countsResources` trait of the test kit). Schedulers
/// propagate it to the actions that they run, so parallel tests do not disturb one another. Objects that are created where no counter is
/// bound are counted process-wide. Release builds count nothing.
public enum Resources {
    /// A count of live objects. Thread-safe.
    public final class Counter: Sendable {
        private let live = Atomic<Int>(0)
        private let kinds = Lock<[String: Int]>([:])

        /// Creates a counter at zero.
        public init() {}

        /// The number of live objects created under this counter.
        public var total: Int {
            live.load(ordering: .acquiring)
        }

        /// The number of live objects by kind, without kinds that have none.
        public var byKind: [String: Int] {
            kinds.withLock { $0.filter { $0.value != 0 } }
        }

        fileprivate func add(_ amount: Int, kind: StaticString) {
            kinds.withLock { $0["\(kind)", default: 0] += amount }
            live.add(amount, ordering: .acquiringAndReleasing)
        }
    }

    private static let processWide = Counter()

    /// The counter of the running test; `nil` where none is bound.
    @TaskLocal public static var counter: Counter?

    /// The counter for objects that are created here.
    public static var current: Counter {
        counter ?? processWide
    }

    /// The number of live library objects under the current counter; always 0 in release builds.
    public static var total: Int {
        current.total
    }

    /// A mark in an object that is counted: the count grows when the mark is created, and shrinks when it is destroyed.
    ///
    /// The mark is empty in release builds.
    @usableFromInline
    package struct Mark: ~Copyable, Sendable {
        #if DEBUG
            private let counter: Counter
            private let kind: StaticString

            @usableFromInline
            package init(_ kind: StaticString, counter: Counter = Resources.current) {
                self.counter = counter
                self.kind = kind
                counter.add(1, kind: kind)
            }

            deinit {
                counter.add(-1, kind: kind)
            }
        #else
            @inlinable
            package init(_ kind: StaticString) {}
        #endif
    }

    /// Returns a closure that runs `action` under the current counter; `action` itself in release builds.
    @inlinable
    package static func bindingCounter(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if DEBUG
            guard let counter else { return action }
            return { Resources.$counter.withValue(counter) { action() } }
        #else
            return action
        #endif
    }
}
