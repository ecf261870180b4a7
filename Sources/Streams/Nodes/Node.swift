/// One step of a chain, which turns an input into a stream of outputs. Usually it transforms the input for the next node, and the outputs
/// of the next node for the previous one.
///
/// Nodes are immutable values; one chain performs any number of concurrent operations. Each node is also available as an operator of
/// `Observable`, independent of a chain.
public protocol Node<Input, Output>: Sendable {
    /// The input of the node.
    associatedtype Input: Sendable
    /// The elements of its streams.
    associatedtype Output: Sendable

    /// Returns the outputs for an input. The stream is cold: each subscription performs the operation again, and disposing cancels it at
    /// any stage.
    func stream(_ input: Input) -> Observable<Output>

    /// The scheduler on which the outputs are delivered; `nil`, the default, if the node does not change it. A context of `process(_:)`
    /// calls its listeners there, including those that are registered after the outcome.
    var delivery: (any Scheduler)? { get }
}

extension Node {
    public var delivery: (any Scheduler)? { nil }

    /// Starts the operation immediately and returns its context, which stores the outcome, has listeners, and can be cancelled. The
    /// messages of the nodes form its log. An operation that ends without an output fails with `StreamError.noElements`.
    ///
    /// ```swift
    /// search.process("swift").process { print($0.log) }
    /// ```
    public func process(_ input: Input) -> Observer<Output> {
        stream(input).hot { [delivery] in Observer(delivery: delivery.map { ScheduledDelivery(on: $0) }) }
    }
}

extension Node where Input == Void {
    /// Returns the outputs of a node without input.
    public func stream() -> Observable<Output> {
        stream(())
    }

    /// Starts a node without input immediately, and returns its context.
    public func process() -> Observer<Output> {
        process(())
    }
}

/// A node that is defined by a closure: for small steps, and for stubs in tests.
public struct AnyNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    private let makeStream: @Sendable (Input) -> Observable<Output>
    private let names: [String]
    public let delivery: (any Scheduler)?

    /// The names of its nodes in their order; `AnyNode` for a closure.
    public var description: String { names.joined(separator: " > ") }

    /// - Parameter stream: called for each subscription.
    public init(_ stream: @escaping @Sendable (Input) -> Observable<Output>) {
        self.init(makeStream: { input in .deferred { stream(input) } })
    }

    private init(
        names: [String] = ["AnyNode"], delivery: (any Scheduler)? = nil, makeStream: @escaping @Sendable (Input) -> Observable<Output>
    ) {
        self.names = names
        self.delivery = delivery
        self.makeStream = makeStream
    }

    /// Creates a node with the names of a chain. Its closure returns a cold stream: it is called immediately, not for each subscription.
    package static func cold(
        names: [String] = ["AnyNode"], delivery: (any Scheduler)? = nil, _ stream: @escaping @Sendable (Input) -> Observable<Output>
    ) -> AnyNode {
        AnyNode(names: names, delivery: delivery, makeStream: stream)
    }

    public func stream(_ input: Input) -> Observable<Output> {
        makeStream(input)
    }
}
