import Schedulers

/// A task that is cancelled with a lifetime.
@usableFromInline
final class TaskMember: LifetimeMember, @unchecked Sendable {
    /// The task, from its start until it is cancelled.
    private let state = Lock<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    private init(in lifetime: Lifetime) {
        super.init(parent: lifetime)
    }

    /// Starts a task that belongs to `lifetime` until it returns. Does nothing if the lifetime has been disposed.
    @usableFromInline
    static func start(in lifetime: Lifetime, priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
        let member = TaskMember(in: lifetime)
        guard member.attach() else { return }
        member.hold(
            Task(priority: priority) {
                await body()
                member.detach()
            })
    }

    private func hold(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    override func tearDown() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task.take()
        }
        task?.cancel()
    }
}
