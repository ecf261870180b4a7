public import Streams

/// One step of a chain: turns an input into a stream of outputs, usually by preparing the input for the next node and what comes back
/// for whoever asked.
///
/// Nodes are immutable values; one chain serves any number of requests at once. Each node's work also stands as an operator on
/// `Observable`, usable without any network.
public protocol Node<Input, Output>: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// The outputs for an input. Cold: nothing happens until it is subscribed to, everything again with each subscription, and disposing
    /// ends it at whatever stage it is.
    func stream(_ input: Input) -> Observable<Output>
}

extension Node {
    /// Starts at once, and hands out the operation in progress: its outcome can be listened to, kept and cancelled.
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
public struct AnyNode<Input: Sendable, Output: Sendable>: Node {
    private let makeStream: @Sendable (Input) -> Observable<Output>

    /// - Parameter stream: called for each subscription.
    public init(_ stream: @escaping @Sendable (Input) -> Observable<Output>) {
        self.init(makeStream: { input in .deferred { stream(input) } })
    }

    private init(makeStream: @escaping @Sendable (Input) -> Observable<Output>) {
        self.makeStream = makeStream
    }

    /// A node whose closure only makes a stream, and does nothing before that is subscribed to: it is called at once.
    static func cold(_ stream: @escaping @Sendable (Input) -> Observable<Output>) -> AnyNode {
        AnyNode(makeStream: stream)
    }

    public func stream(_ input: Input) -> Observable<Output> {
        makeStream(input)
    }
}

extension Node {
    /// Runs this node with an input that is made at each subscription. What `makeInput` throws ends the stream; nothing is sent then.
    func stream(making makeInput: @escaping @Sendable () throws -> Input) -> Observable<Output> {
        .deferred { try stream(makeInput()) }
    }
}

/// What becomes of the stream of one input when the next input comes.
public enum NodeStrategy: Sendable {
    /// All run side by side, at most `max` at a time; further inputs wait.
    case merge(max: Int)
    /// One after another, in order.
    case concat
    /// The newest input ends the stream of the one before: a search field.
    case latest
    /// While one runs, further inputs are dropped: a button.
    case first
}

extension ObservableType {
    /// Sends each element through a node.
    ///
    /// ```swift
    /// searchField.text.through(searchNode, .latest)
    /// ```
    @inlinable
    public func through<Output: Sendable>(
        _ node: any Node<Element, Output>, _ strategy: NodeStrategy = .merge(max: 16)
    ) -> Observable<Output> {
        switch strategy {
        case .merge(let max): flatMap(maxConcurrent: max) { node.stream($0) }
        case .concat: concatMap { node.stream($0) }
        case .latest: flatMapLatest { node.stream($0) }
        case .first: flatMapFirst { node.stream($0) }
        }
    }
}
