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
        if runs(step) { return }
        thread.current?.waiting.append(step)
    }

    /// Runs a step that need not escape, unless too many nest: then the caller has to queue it by `run`, which allocates a closure.
    @usableFromInline static func runs(_ step: () -> Void) -> Bool {
        guard let running = thread.current else {
            runFirst(step)
            return true
        }
        guard running.depth < limit else { return false }
        running.depth += 1
        step()
        running.depth -= 1
        return true
    }

    private static func runFirst(_ step: () -> Void) {
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
        if NestedSteps.runs({ finish(step) }) { return }
        NestedSteps.run { [self] in finish(step) }
    }

    private func finish(_ step: () -> Void) {
        step()
        serializer.leave()
    }
}
