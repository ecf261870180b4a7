import Streams

/// An entry of the one ordered list that a chain is built from and that its description reads: a node in front of the rest of the list.
struct ChainNode: Sendable {
    /// The names of the nodes that it puts in, in their order.
    let names: [String]
    private let put: @Sendable (any Sendable) -> any Sendable

    /// - Parameters:
    ///   - names: what the chain's description shows; none where nothing stands there but a conversion of types.
    ///   - make: the node in front of the next one, whose type says what fits behind it.
    init<Next: Sendable, Result: Sendable, Made: Node>(
        _ names: [String], _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> Made
    ) {
        self.names = names
        put = { next in
            guard let next = next as? any Node<Next, Result> else {
                preconditionFailure("\(names) cannot stand before \(type(of: next))")
            }
            return make(next)
        }
    }

    init<Next: Sendable, Result: Sendable, Made: Node>(
        _ name: String, _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> Made
    ) {
        self.init([name], make)
    }

    /// A step that the chain's user has put in, in a chain with this output.
    init<Step: ChainStep, Output: Sendable>(_ step: Step, _ output: Output.Type) {
        names = [step.name]
        put = { next in
            guard let next = next as? any Node<Step.Value, Output> else {
                preconditionFailure("\(step.name) cannot stand before \(type(of: next))")
            }
            return step.node(before: next)
        }
    }

    fileprivate func node(before next: any Sendable) -> any Sendable { put(next) }
}

extension [ChainNode] {
    /// The nodes of this list in front of `last`. That they fit each other is what the types of ``ChainStage`` are for.
    func node<Input: Sendable, Output: Sendable>(before last: any Node) -> any Node<Input, Output> {
        let first = reversed().reduce(last as any Sendable) { next, entry in entry.node(before: next) }
        guard let first = first as? any Node<Input, Output> else {
            preconditionFailure("\(flatMap(\.names)) does not turn \(Input.self) into \(Output.self)")
        }
        return first
    }
}
