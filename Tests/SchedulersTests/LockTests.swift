import Schedulers
import StreamsTesting
import TestSupport
import Testing

@Suite("Locks")
struct LockTests {
    @Test(.startsChild) func `An event delivered under a lock of the library traps in a debug build`() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock(0)
            let observer = AnyObserver<Int> { _ in }
            lock.withLock { _ in observer.onNext(1) }
        }
        await #expect(processExitsWith: .success) {
            AnyObserver<Int> { _ in }.onNext(1)
        }
    }

    @Test(.startsChild) func `A disposable disposed under a lock of the library traps in a debug build`() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock(0)
            let lifetime = Lifetime()
            lock.withLock { _ in lifetime.dispose() }
        }
    }
}
