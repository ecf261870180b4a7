import Streams

extension InspectorSnapshot {
    /// One running operator: its place in the tree, and what has passed through it. Or an object that is no operator, with its ``object``: a
    /// context whose operation is running, a connection to NATS, a rate limiter, bulkhead or circuit breaker.
    ///
    /// A property that is `nil` is absent from the JSON.
    public struct Node: Codable, Sendable, Equatable, Identifiable {
        /// Its number, unique in the process for as long as that runs; later nodes have higher numbers.
        public var id: UInt64
        /// The operator downstream, which receives what this emits; `nil` for the outermost of a chain.
        public var parent: UInt64?
        /// The name of the function that built it, `debounce`; `?` if the program has no symbols.
        public var operatorName: String
        /// The line of the program that built it; `nil` if the program has no debug information for it.
        public var place: Place?
        /// `true` if the package itself built it, inside an operator, node or object that the program uses; otherwise `nil`.
        public var isInternal: Bool?
        /// The name that a `trace()` in the chain gives it.
        public var name: String?
        /// What it is about: `GET https://example.com/prices`, `pending`, `12 tokens, 0 queued`. Bounded, and redacted as in logs.
        public var summary: String?
        /// The number of the object that it is: the `id` of the ``limiter`` or ``sharing`` of those that use it. `nil` for an operator.
        public var object: UInt64?
        /// What it is doing.
        public var state = State.active
        /// Why its source does not emit, if that is suspended.
        public var suspension: Suspension?
        /// The number of elements that it has emitted.
        public var elements: UInt64 = 0
        /// The elements per second, over the last two seconds.
        public var rate = 0.0
        /// The seconds for which its consumer has been handling its last event; `nil` if that has returned.
        public var busy: Double?
        /// The seconds that its consumer has spent on all of them.
        public var handlingTime = 0.0
        /// The upstreams that it has started, also those that have terminated: of `retry`, the number of attempts.
        public var starts = 0
        /// The upstreams of it that have failed.
        public var errors = 0
        /// The last of these errors, redacted as in logs, and bounded.
        public var lastError: String?
        /// The upstreams whose first element came, or has yet to come, after that of one that was started later.
        public var overtaken = 0
        /// The seconds since it was started.
        public var age: Double
        /// The last event that it emitted; `nil` if there was none.
        public var lastEvent: LastEvent?
        /// The last element, bounded; only if `Inspector.showsElements`.
        public var lastElement: String?
        /// Where elements or inputs can wait in it.
        public var queues: [Queue] = []
        /// The seconds until each of its pending timers is due; negative if it is late.
        public var timers: [Double] = []
        /// The rate limiter, bulkhead or circuit breaker that it asks for a permit.
        public var limiter: Limiter?
        /// The connection behind it, if it is shared with others: of a shared stream, or to NATS.
        public var sharing: Sharing?
        /// Who retains the subscription; `nil` unless it is the outermost of a chain.
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

    /// What a node is doing.
    public enum State: String, Codable, Sendable {
        /// It may emit.
        case active
        /// A slower consumer downstream suspends its source.
        case suspended
        /// It has terminated, and its terminal event is still being handled.
        case finished
    }

    /// Why a source is suspended, and for how long.
    public struct Suspension: Codable, Sendable, Equatable {
        /// The node of the boundary that suspends it, if that is known.
        public var boundary: UInt64?
        /// The seconds since.
        public var age: Double
        /// What is full.
        public var reason: Reason

        /// What suspends a source.
        public enum Reason: String, Codable, Sendable {
            /// As many elements wait for the consumer as the boundary keeps.
            case full
            /// Too many inputs of several threads are queued at an operator.
            case backlog
        }

        /// Creates a suspension by a boundary.
        public init(boundary: UInt64?, age: Double, reason: Reason) {
            (self.boundary, self.age, self.reason) = (boundary, age, reason)
        }
    }

    /// When and where a node emitted.
    public struct LastEvent: Codable, Sendable, Equatable {
        /// The seconds since.
        public var age: Double
        /// The name of the thread.
        public var thread: String

        /// Creates the record of an event.
        public init(age: Double, thread: String) {
            (self.age, self.thread) = (age, thread)
        }
    }

    /// Elements or inputs that wait.
    public struct Queue: Codable, Sendable, Equatable {
        /// Its content: `elements`, `inputs`, or `unpaired elements` of a stream of `zip`.
        public var name: String
        /// How many wait, with those of a batch that is being delivered.
        public var count: Int
        /// How many can wait before the source is suspended or the policy for an overflow applies; `nil` if that is unbounded.
        public var bound: Int?

        /// Creates the state of a queue.
        public init(name: String, count: Int, bound: Int?) {
            (self.name, self.count, self.bound) = (name, count, bound)
        }
    }

    /// What decides when subscriptions may start, and is shared by several.
    public struct Limiter: Codable, Sendable, Equatable {
        /// Equal for all subscriptions of one limiter, and for no other.
        public var id: UInt64
        /// Its type: `RateLimiter`, `Bulkhead` or `CircuitBreaker`.
        public var kind: String
        /// Its metrics: `0 tokens, 12 queued`.
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
        /// Equal for all subscribers of one shared stream, and for no other.
        public var id: UInt64
        /// Whether it is subscribed to its source.
        public var isConnected: Bool
        /// The number of its subscribers that are shown.
        public var subscribers: Int

        /// Creates the state of a connection.
        public init(id: UInt64, isConnected: Bool, subscribers: Int) {
            (self.id, self.isConnected, self.subscribers) = (id, isConnected, subscribers)
        }
    }

    /// Who keeps a subscription.
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
