import Schedulers

/// A disposable that a lifetime disposes.
final class DisposableMember: LifetimeMember, @unchecked Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable, parent: Lifetime) {
        self.disposable = disposable
        super.init(parent: parent)
    }

    override func tearDown() {
        disposable.dispose()
    }
}

/// An action that a lifetime runs when it is disposed.
final class ActionMember: LifetimeMember, @unchecked Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void, parent: Lifetime) {
        self.action = action
        super.init(parent: parent)
    }

    override func tearDown() {
        action()
    }
}
