import Schedulers

/// Runs steps that start each other without growing the stack (law 5). Steps are nested up to a certain depth; deeper ones run in sequence,
/// before the outermost step returns.
@usableFromInline enum NestedSteps {
    private final class Running {
        var depth = 1
        var waiting = ElementQueue<@Sendable () -> Void>()
    }

    private static let limit = 16
    private static let thread = ThreadReference<Running>()

    @usableFromInline static func run(_ step: @escaping @Sendable () -> Void) {
        guard let running = thread.current else { return runFirst(step) }
        guard running.depth < limit else { return running.waiting.append(step) }
        running.depth += 1
        step()
        running.depth -= 1
    }

    private static func runFirst(_ step: @Sendable () -> Void) {
        let running = Running()
        thread.with(running) {
            step()
            while let next = running.waiting.popFirst() { next() }
        }
    }
}

extension SharedSerializer {
    /// Runs `step` in serial order, even after the lifetime is disposed. If the serializer is idle, the step may nest like the others.
    @usableFromInline func runStep(_ step: @escaping @Sendable () -> Void) {
        guard serializer.tryEnter() else { return serializer.enqueue(step) }
        NestedSteps.run { [self] in
            step()
            serializer.leave()
        }
    }
}
