/// One step of a chain: turns an input into a stream of outputs, usually by preparing the input for the next node and by preparing what
/// comes back for its caller.
///
/// Nodes are immutable values; one chain serves any number of operations at once. The work of each node also stands as an operator on
/// `Observable`, usable without the chain.
public protocol Node<Input, Output>: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// The outputs for an input. Cold: nothing happens before a subscription, everything happens again with each subscription, and
    /// disposing cancels it at whatever stage it is.
    func stream(_ input: Input) -> Observable<Output>
}

extension Node {
    /// Starts at once and returns the operation in progress, whose outcome can be listened to, kept and cancelled. What the nodes note is
    /// its log.
    ///
    /// ```swift
    /// search.process("swift").process { print($0.log) }
    /// ```
    public func process(_ input: Input) -> Observer<Output> {
        stream(input).asContext()
    }
}

extension Node where Input == Void {
    /// The outputs of a node that needs no input.
    public func stream() -> Observable<Output> {
        stream(())
    }

    /// Starts a node that needs no input at once.
    public func process() -> Observer<Output> {
        process(())
    }
}

/// A node made of a closure: for a step that is not worth a type, and for stubs in tests.
public struct AnyNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    private let makeStream: @Sendable (Input) -> Observable<Output>
    private let names: [String]

    /// The names of the nodes that it is made of, in their order; for a closure `AnyNode`.
    public var description: String { names.joined(separator: " > ") }

    /// - Parameter stream: called for each subscription.
    public init(_ stream: @escaping @Sendable (Input) -> Observable<Output>) {
        self.init(makeStream: { input in .deferred { stream(input) } })
    }

    private init(names: [String] = ["AnyNode"], makeStream: @escaping @Sendable (Input) -> Observable<Output>) {
        self.names = names
        self.makeStream = makeStream
    }

    /// A chain of nodes, of which `node` is the first.
    package init(_ node: any Node<Input, Output>, names: [String]) {
        self.init(names: names, makeStream: { node.stream($0) })
    }

    /// A node whose closure only makes a cold stream: it is called at once, not for each subscription.
    package static func cold(_ stream: @escaping @Sendable (Input) -> Observable<Output>) -> AnyNode {
        AnyNode(makeStream: stream)
    }

    public func stream(_ input: Input) -> Observable<Output> {
        makeStream(input)
    }
}

extension Node {
    /// The outputs for an input that is made at each subscription. What `makeInput` throws ends the stream.
    package func stream(making makeInput: @escaping @Sendable () throws -> Input) -> Observable<Output> {
        .deferred { try stream(makeInput()) }
    }
}
