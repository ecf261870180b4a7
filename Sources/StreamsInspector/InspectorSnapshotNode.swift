import Streams

extension InspectorSnapshot {
    /// One running operator, with its place in the tree and the events that have passed through it; or another object, with its ``object``:
    /// a context whose operation is running, a connection to NATS, a rate limiter, a bulkhead or a circuit breaker.
    ///
    /// A property that is `nil` is absent from the JSON.
    package struct Node: Codable, Sendable, Equatable, Identifiable {
        /// The number of the node, unique while the process runs; later nodes have higher numbers.
        package var id: UInt64
        /// The operator downstream, which receives the events of this node; `nil` for the outermost operator of a chain.
        package var parent: UInt64?
        /// The name of the function that built the node, such as `debounce`; `?` if the program has no symbols.
        package var operatorName: String
        /// The line of the program that built the node; `nil` if the program has no debug information for it.
        package var place: Place?
        /// `true` if the package itself built the node, inside an operator, node or object that the program uses; otherwise `nil`.
        package var isInternal: Bool?
        /// The name that a `trace()` in the chain gives it.
        package var name: String?
        /// The subject of the node: `GET https://example.com/prices`, `pending`, `12 tokens, 0 queued`. It is bounded, and redacted as in
        /// logs.
        package var summary: String?
        /// The number of the object, which is the `id` of the ``limiter`` or ``sharing`` of its users; `nil` for an operator.
        package var object: UInt64?
        /// The current activity of the node.
        package var state = State.active
        /// The reason why its source does not emit, if the source is suspended.
        package var suspension: Suspension?
        /// The number of elements that the node has emitted.
        package var elements: UInt64 = 0
        /// The elements per second, over the last two seconds.
        package var rate = 0.0
        /// The seconds for which its consumer has been handling its last event; `nil` if that has returned.
        package var busy: Double?
        /// The seconds that its consumer has spent on all events.
        package var handlingTime = 0.0
        /// The number of upstreams that the node has started, including those that have terminated; for `retry`, the number of attempts.
        package var starts = 0
        /// The number of its upstreams that have failed.
        package var errors = 0
        /// The last of these errors, redacted as in logs, and bounded.
        package var lastError: String?
        /// The number of upstreams whose first element came, or has yet to come, after that of an upstream that was started later.
        package var overtaken = 0
        /// The seconds since the node was started.
        package var age: Double
        /// The last event that the node emitted; `nil` if there was none.
        package var lastEvent: LastEvent?
        /// The last element, bounded; only if `Inspector.showsElements`.
        package var lastElement: String?
        /// The queues in which elements or inputs can wait.
        package var queues: [Queue] = []
        /// The seconds until each of its pending timers is due; negative for a timer that is late.
        package var timers: [Double] = []
        /// The rate limiter, bulkhead or circuit breaker that the node asks for a permit.
        package var limiter: Limiter?
        /// The connection that the node shares with others: that of a shared stream, or to NATS.
        package var sharing: Sharing?
        /// The object that retains the subscription; `nil` unless the node is the outermost of a chain.
        package var retainer: Retainer?

        /// Creates an active node that has emitted nothing.
        package init(id: UInt64, parent: UInt64? = nil, operatorName: String, place: Place? = nil, age: Double = 0) {
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
    package typealias Place = Inspector.Place

    /// The activity of a node.
    package enum State: String, Codable, Sendable {
        /// The node may emit.
        case active
        /// A slower consumer downstream suspends the source of the node.
        case suspended
        /// The node has terminated, and its terminal event is still being handled.
        case finished
    }

    /// The reason and the duration of a suspension.
    package struct Suspension: Codable, Sendable, Equatable {
        /// The node of the boundary that suspends the source, if it is known.
        package var boundary: UInt64?
        /// The seconds since the suspension began.
        package var age: Double
        /// The kind of the suspension.
        package var reason: Reason

        /// The kinds of suspensions.
        package enum Reason: String, Codable, Sendable {
            /// The boundary is full: as many elements wait for the consumer as it keeps.
            case full
            /// Inputs of several threads are queued at an operator, and there are too many.
            case backlog
        }

        /// Creates a suspension by a boundary.
        package init(boundary: UInt64?, age: Double, reason: Reason) {
            (self.boundary, self.age, self.reason) = (boundary, age, reason)
        }
    }

    /// The time and the thread of an event.
    package struct LastEvent: Codable, Sendable, Equatable {
        /// The seconds since the event.
        package var age: Double
        /// The name of the thread.
        package var thread: String

        /// Creates the record of an event.
        package init(age: Double, thread: String) {
            (self.age, self.thread) = (age, thread)
        }
    }

    /// A queue of elements or inputs that wait.
    package struct Queue: Codable, Sendable, Equatable {
        /// Its content: `elements`, `inputs`, or `unpaired elements` of a stream of `zip`.
        package var name: String
        /// The number of waiting elements, with those of a batch that is being delivered.
        package var count: Int
        /// The number that can wait before the source is suspended, or the policy for an overflow applies; `nil` if there is no bound.
        package var bound: Int?

        /// Creates the state of a queue.
        package init(name: String, count: Int, bound: Int?) {
            (self.name, self.count, self.bound) = (name, count, bound)
        }
    }

    /// An object that decides when subscriptions may start, and that several of them share.
    package struct Limiter: Codable, Sendable, Equatable {
        /// The number of the limiter: equal for all its subscriptions, and different from all other limiters.
        package var id: UInt64
        /// The type: `RateLimiter`, `Bulkhead` or `CircuitBreaker`.
        package var kind: String
        /// The metrics: `0 tokens, 12 queued`.
        package var figures: String
        /// Whether this subscription waits for its permit.
        package var isWaiting: Bool

        /// Creates the state of a limiter.
        package init(id: UInt64, kind: String, figures: String, isWaiting: Bool) {
            (self.id, self.kind, self.figures, self.isWaiting) = (id, kind, figures, isWaiting)
        }
    }

    /// A connection that several subscribers can share.
    package struct Sharing: Codable, Sendable, Equatable {
        /// The number of the connection: equal for all subscribers of one shared stream, and different from all others.
        package var id: UInt64
        /// Whether the connection is subscribed to its source.
        package var isConnected: Bool
        /// The number of subscribers that are shown.
        package var subscribers: Int

        /// Creates the state of a connection.
        package init(id: UInt64, isConnected: Bool, subscribers: Int) {
            (self.id, self.isConnected, self.subscribers) = (id, isConnected, subscribers)
        }
    }

    /// The kind of object that keeps a subscription.
    package enum Retainer: String, Codable, Sendable {
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
