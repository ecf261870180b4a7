import Schedulers

/// Runs steps that start each other without growing the stack (law 5). Steps are nested up to a certain depth; deeper ones run in sequence,
/// before the outermost step returns.
@usableFromInline enum NestedSteps {
    private final class Running {
        // Law 2: only one thread uses it.
        @safe @exclusivity(unchecked) var depth = 0
        @safe @exclusivity(unchecked) var waiting = ElementQueue<@Sendable () -> Void>()
    }

    private static let limit = 16
    private static let running = ThreadLocal { Running() }

    @usableFromInline static func run(_ step: @escaping @Sendable () -> Void) {
        if !tryRun(step) { running.value.waiting.append(step) }
    }

    /// Runs a step that need not escape, unless too many nest: then the caller has to queue it by `run`, which allocates a closure.
    @usableFromInline static func tryRun(_ step: () -> Void) -> Bool {
        let running = running.value
        guard running.depth < limit else { return false }
        running.depth += 1
        step()
        while running.depth == 1, let next = running.waiting.popFirst() { next() }
        running.depth -= 1
        return true
    }
}

extension SharedSerializer {
    /// Runs `step` in serial order, even after the lifetime is disposed. If the serializer is idle, the step may nest like the others.
    @usableFromInline func runStep(_ step: @escaping @Sendable () -> Void) {
        guard serializer.tryEnter() else { return serializer.enqueue(step) }
        if NestedSteps.tryRun({ finish(step) }) { return }
        NestedSteps.run { [self] in finish(step) }
    }

    private func finish(_ step: () -> Void) {
        step()
        serializer.leave()
    }
}
