import Streams

extension InspectorSnapshot {
    /// One running operator, with its place in the tree and the events that have passed through it; or another object, with its ``object``:
    /// a context whose operation is running, a connection to NATS, a rate limiter, a bulkhead or a circuit breaker.
    ///
    /// A property that is `nil` is absent from the JSON.
    public struct Node: Codable, Sendable, Equatable, Identifiable {
        /// The number of the node, unique while the process runs; later nodes have higher numbers.
        public var id: UInt64
        /// The operator downstream, which receives the events of this node; `nil` for the outermost operator of a chain.
        public var parent: UInt64?
        /// The name of the function that built the node, such as `debounce`; `?` if the program has no symbols.
        public var operatorName: String
        /// The line of the program that built the node; `nil` if the program has no debug information for it.
        public var place: Place?
        /// `true` if the package itself built the node, inside an operator, node or object that the program uses; otherwise `nil`.
        public var isInternal: Bool?
        /// The name that a `trace()` in the chain gives it.
        public var name: String?
        /// The subject of the node: `GET https://example.com/prices`, `pending`, `12 tokens, 0 queued`. It is bounded, and redacted as in
        /// logs.
        public var summary: String?
        /// The number of the object, which is the `id` of the ``limiter`` or ``sharing`` of its users; `nil` for an operator.
        public var object: UInt64?
        /// The current activity of the node.
        public var state = State.active
        /// The reason why its source does not emit, if the source is suspended.
        public var suspension: Suspension?
        /// The number of elements that the node has emitted.
        public var elements: UInt64 = 0
        /// The elements per second, over the last two seconds.
        public var rate = 0.0
        /// The seconds for which its consumer has been handling its last event; `nil` if that has returned.
        public var busy: Double?
        /// The seconds that its consumer has spent on all events.
        public var handlingTime = 0.0
        /// The number of upstreams that the node has started, including those that have terminated; for `retry`, the number of attempts.
        public var starts = 0
        /// The number of its upstreams that have failed.
        public var errors = 0
        /// The last of these errors, redacted as in logs, and bounded.
        public var lastError: String?
        /// The number of upstreams whose first element came, or has yet to come, after that of an upstream that was started later.
        public var overtaken = 0
        /// The seconds since the node was started.
        public var age: Double
        /// The last event that the node emitted; `nil` if there was none.
        public var lastEvent: LastEvent?
        /// The last element, bounded; only if `Inspector.showsElements`.
        public var lastElement: String?
        /// The queues in which elements or inputs can wait.
        public var queues: [Queue] = []
        /// The seconds until each of its pending timers is due; negative for a timer that is late.
        public var timers: [Double] = []
        /// The rate limiter, bulkhead or circuit breaker that the node asks for a permit.
        public var limiter: Limiter?
        /// The connection that the node shares with others: that of a shared stream, or to NATS.
        public var sharing: Sharing?
        /// The object that retains the subscription; `nil` unless the node is the outermost of a chain.
        public var retainer: Retainer?

        /// Creates an active node that has emitted nothing.
        public init(id: UInt64, parent: UInt64? = nil, operatorName: String, place: Place? = nil, age: Double = 0) {
            (self.id, self.parent, self.operatorName, self.place, self.age) = (id, parent, operatorName, place, age)
        }

        private enum CodingKeys: String, CodingKey {
            case id, parent, place, isInternal, name, summary, object, state, suspension, elements, rate, busy, handlingTime, starts,
                errors, lastError,
                overtaken
            case age, lastEvent, lastElement, queues, timers, limiter, sharing, retainer
            case operatorName = "operator"
        }
    }
}

extension InspectorSnapshot.Node {
    /// A line of a program.
    public struct Place: Codable, Sendable, Hashable, CustomStringConvertible {
        /// The module or directory, and the name of the file: `App/Quotes.swift`.
        public var file: String
        /// The line, counted from 1.
        public var line: Int

        /// Creates the place of a line.
        public init(file: String, line: Int) {
            (self.file, self.line) = (file, line)
        }

        public var description: String { "\(file):\(line)" }
    }

    /// The activity of a node.
    public enum State: String, Codable, Sendable {
        /// The node may emit.
        case active
        /// A slower consumer downstream suspends the source of the node.
        case suspended
        /// The node has terminated, and its terminal event is still being handled.
        case finished
    }

    /// The reason and the duration of a suspension.
    public struct Suspension: Codable, Sendable, Equatable {
        /// The node of the boundary that suspends the source, if it is known.
        public var boundary: UInt64?
        /// The seconds since the suspension began.
        public var age: Double
        /// The kind of the suspension.
        public var reason: Reason

        /// The kinds of suspensions.
        public enum Reason: String, Codable, Sendable {
            /// The boundary is full: as many elements wait for the consumer as it keeps.
            case full
            /// Inputs of several threads are queued at an operator, and there are too many.
            case backlog
        }

        /// Creates a suspension by a boundary.
        public init(boundary: UInt64?, age: Double, reason: Reason) {
            (self.boundary, self.age, self.reason) = (boundary, age, reason)
        }
    }

    /// The time and the thread of an event.
    public struct LastEvent: Codable, Sendable, Equatable {
        /// The seconds since the event.
        public var age: Double
        /// The name of the thread.
        public var thread: String

        /// Creates the record of an event.
        public init(age: Double, thread: String) {
            (self.age, self.thread) = (age, thread)
        }
    }

    /// A queue of elements or inputs that wait.
    public struct Queue: Codable, Sendable, Equatable {
        /// Its content: `elements`, `inputs`, or `unpaired elements` of a stream of `zip`.
        public var name: String
        /// The number of waiting elements, with those of a batch that is being delivered.
        public var count: Int
        /// The number that can wait before the source is suspended, or the policy for an overflow applies; `nil` if there is no bound.
        public var bound: Int?

        /// Creates the state of a queue.
        public init(name: String, count: Int, bound: Int?) {
            (self.name, self.count, self.bound) = (name, count, bound)
        }
    }

    /// An object that decides when subscriptions may start, and that several of them share.
    public struct Limiter: Codable, Sendable, Equatable {
        /// The number of the limiter: equal for all its subscriptions, and different from all other limiters.
        public var id: UInt64
        /// The type: `RateLimiter`, `Bulkhead` or `CircuitBreaker`.
        public var kind: String
        /// The metrics: `0 tokens, 12 queued`.
        public var figures: String
        /// Whether this subscription waits for its permit.
        public var isWaiting: Bool

        /// Creates the state of a limiter.
        public init(id: UInt64, kind: String, figures: String, isWaiting: Bool) {
            (self.id, self.kind, self.figures, self.isWaiting) = (id, kind, figures, isWaiting)
        }
    }

    /// A connection that several subscribers can share.
    public struct Sharing: Codable, Sendable, Equatable {
        /// The number of the connection: equal for all subscribers of one shared stream, and different from all others.
        public var id: UInt64
        /// Whether the connection is subscribed to its source.
        public var isConnected: Bool
        /// The number of subscribers that are shown.
        public var subscribers: Int

        /// Creates the state of a connection.
        public init(id: UInt64, isConnected: Bool, subscribers: Int) {
            (self.id, self.isConnected, self.subscribers) = (id, isConnected, subscribers)
        }
    }

    /// The kind of object that keeps a subscription.
    public enum Retainer: String, Codable, Sendable {
        /// A `DisposeBag`.
        case bag
        /// A task that reads `values`.
        case task
        /// The connection of a shared stream.
        case connection
        /// A property, a variable, or nobody: releasing a disposable does not dispose it.
        case unknown
    }
}
