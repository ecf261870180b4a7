import Schedulers

/// The tasks of `flatMapAsync`. A task that has a result takes the next element if one waits, so that a source which is ahead starts no task
/// for each element.
@usableFromInline
final class TransformingTasks<Element: Sendable, Result: Sendable>: Sendable {
    @usableFromInline typealias Transform = @Sendable (Element) async throws -> Result

    /// Each task is one of its upstreams.
    @usableFromInline let merge: MergeJoin<Result>
    @usableFromInline let priority: TaskPriority
    @usableFromInline let transform: Transform
    /// The elements that have been begun, and the number of tasks that are about to take one: never less. Law 3: under the lock nothing is
    /// released.
    @usableFromInline let begun = Lock((elements: ElementQueue<Element>(), takers: 0))

    @inlinable
    init(_ downstream: AnyObserver<Result>, _ lifetime: Lifetime, priority: TaskPriority, _ transform: @escaping Transform) {
        merge = MergeJoin(downstream, lifetime)
        self.priority = priority
        self.transform = transform
    }

    /// Leaves an element to a task that has just got a result, or starts a task.
    @inlinable
    func begin(_ element: Element, _ limiter: ConcurrencyLimiter<Element>) {
        let isTaken = begun.withLock { begun in
            begun.elements.append(element)
            guard begun.elements.count > begun.takers else { return true }
            begun.takers += 1
            return false
        }
        if !isTaken { start(limiter) }
    }

    @inlinable
    func start(_ limiter: ConcurrencyLimiter<Element>) {
        merge.add()
        TaskMember.start(in: merge.gate, priority: priority) { [self] in
            do {
                while let element = next() {
                    let result = try await transform(element)
                    merge.serialize(result, with: merge) { merge, result in merge.downstream.onNext(result) }
                    begun.withLock { $0.takers += 1 }
                    limiter.finish()
                }
                merge.terminate(.completed)
            } catch { merge.fail(with: error) }
        }
    }

    @inlinable
    func next() -> Element? {
        let element = begun.withLock { begun in
            begun.takers -= 1
            return begun.elements.popFirst()
        }
        return merge.lifetime.isDisposed ? nil : element
    }
}
