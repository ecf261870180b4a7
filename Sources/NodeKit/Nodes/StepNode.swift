public import Streams

/// A step with the next node: the form that NodeKit's chains have.
public protocol StepNode<Input, Output>: Node {
    // The types are named again: otherwise they are not inferred from `step`.
    associatedtype Input
    associatedtype Output
    /// The input of the next node.
    associatedtype NextInput: Sendable
    /// The output of the next node.
    associatedtype NextOutput: Sendable

    /// The step that the node performs.
    var step: Step<Input, Output, NextInput, NextOutput> { get }
    /// The rest of the chain.
    var next: any Node<NextInput, NextOutput> { get }
}

extension StepNode {
    public var delivery: (any Scheduler)? { next.delivery }

    public func stream(_ input: Input) -> Observable<Output> {
        step.stream(input) { [next] in next.stream($0) }
    }
}
