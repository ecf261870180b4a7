import Streams

/// An entry of the ordered list from which a chain is built and described: a node that is placed before the rest of the list.
struct ChainNode: Sendable {
    /// The names of its nodes, in order.
    let names: [String]
    /// Makes the node before the next one.
    fileprivate let node: @Sendable (_ next: any Node) -> any Node

    /// - Parameters:
    ///   - names: the names in the chain's description; empty for a mere conversion of types.
    ///   - make: makes the node before the next one, whose type it requires.
    init<Next: Sendable, Result: Sendable>(_ names: [String], _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> any Node) {
        self.names = names
        node = { next in
            guard let next = next as? any Node<Next, Result> else {
                preconditionFailure("\(names) cannot be placed before \(type(of: next))")
            }
            return make(next)
        }
    }

    init<Next: Sendable, Result: Sendable>(_ name: String, _ make: @escaping @Sendable (_ next: any Node<Next, Result>) -> any Node) {
        self.init([name], make)
    }

    /// Creates an entry for a custom step, in a chain with this output.
    init<Step: ChainStep, Output: Sendable>(_ step: Step, _ output: Output.Type) {
        self.init(step.name) { (next: any Node<Step.Value, Output>) in step.node(before: next) }
    }
}

extension [ChainNode] {
    /// Returns the nodes of this list before `last`. The types of ``ChainStage`` ensure that they fit together.
    func node<Input: Sendable, Output: Sendable>(before last: any Node) -> any Node<Input, Output> {
        let first = reversed().reduce(last) { next, entry in entry.node(next) }
        guard let first = first as? any Node<Input, Output> else {
            preconditionFailure("\(flatMap(\.names)) does not turn \(Input.self) into \(Output.self)")
        }
        return first
    }
}
