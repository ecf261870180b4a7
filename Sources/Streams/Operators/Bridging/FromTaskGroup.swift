extension Observable {
    /// Runs a task group for each subscriber, emits the result of each task as soon as the task returns, and completes after the last one.
    ///
    /// ```swift
    /// Observable.fromTaskGroup { group in
    ///     for user in team { group.addTask { try await service.profile(of: user) } }
    /// }
    /// // ---B-A--(C|)
    /// ```
    ///
    /// Results are emitted once `addTasks` has returned, in the order in which the tasks return. If a task or `addTasks` throws, the stream
    /// fails and the other tasks are cancelled; disposing cancels them too. The tasks have the given priority, or that of the subscribing
    /// task. Source: [Swift, ThrowingTaskGroup](https://developer.apple.com/documentation/swift/throwingtaskgroup).
    @inlinable
    public static func fromTaskGroup(
        priority: TaskPriority? = nil,
        _ addTasks: @escaping @Sendable (inout ThrowingTaskGroup<Element, any Error>) async throws -> Void
    ) -> Observable<Element> {
        running(priority) { downstream, lifetime in
            try await withThrowingTaskGroup(of: Element.self) { group in
                try await addTasks(&group)
                try await downstream.emitAll(in: lifetime) { try await group.next() }
            }
        }
    }
}
