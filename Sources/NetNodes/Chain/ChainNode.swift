import Streams

/// An entry of the ordered list from which a chain is built and described: a node that is placed before the rest of the list.
struct ChainNode: Sendable {
    /// The names of its nodes, in order.
    let names: [String]
    private let put: @Sendable (any Sendable) -> any Sendable

    /// - Parameters:
    ///   - names: the names in the chain's description; empty for a mere conversion of types.
    ///   - make: makes the node before the next one, whose type it requires.
    init<Next: Sendable, Result: Sendable, Made: Node>(
        _ names: [String], _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> Made
    ) {
        self.names = names
        put = { next in
            guard let next = next as? any Node<Next, Result> else {
                preconditionFailure("\(names) cannot be placed before \(type(of: next))")
            }
            return make(next)
        }
    }

    init<Next: Sendable, Result: Sendable, Made: Node>(
        _ name: String, _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> Made
    ) {
        self.init([name], make)
    }

    /// Creates an entry for a custom step, in a chain with this output.
    init<Step: ChainStep, Output: Sendable>(_ step: Step, _ output: Output.Type) {
        names = [step.name]
        put = { next in
            guard let next = next as? any Node<Step.Value, Output> else {
                preconditionFailure("\(step.name) cannot be placed before \(type(of: next))")
            }
            return step.node(before: next)
        }
    }

    fileprivate func node(before next: any Sendable) -> any Sendable { put(next) }
}

extension [ChainNode] {
    /// Returns the nodes of this list before `last`. The types of ``ChainStage`` ensure that they fit together.
    func node<Input: Sendable, Output: Sendable>(before last: any Node) -> any Node<Input, Output> {
        let first = reversed().reduce(last as any Sendable) { next, entry in entry.node(before: next) }
        guard let first = first as? any Node<Input, Output> else {
            preconditionFailure("\(flatMap(\.names)) does not turn \(Input.self) into \(Output.self)")
        }
        return first
    }
}
