import Foundation
import Synchronization

extension OpenDescriptors {
    /// Calls `body`, and returns the descriptors opened meanwhile that a program would have inherited at some time, even a short one.
    ///
    /// Another thread checks for them again and again, so `body` should open them many times.
    public static func inheritable(while body: () throws -> Void) throws -> Set<Int32> {
        let watch = Watch(ignoring: inheritable())
        Thread.detachNewThread { watch.run() }
        let result = Result { try body() }
        watch.isEnding.store(true, ordering: .relaxed)
        watch.hasEnded.wait()
        try result.get()
        return watch.found.withLock { $0 }
    }

    private final class Watch: Sendable {
        let isEnding = Atomic(false)
        let hasEnded = DispatchSemaphore(value: 0)
        let found = Mutex<Set<Int32>>([])
        private let ignored: Set<Int32>

        init(ignoring ignored: Set<Int32>) {
            self.ignored = ignored
        }

        func run() {
            while !isEnding.load(ordering: .relaxed) {
                let more = inheritable().subtracting(ignored)
                if !more.isEmpty { found.withLock { $0.formUnion(more) } }
            }
            hasEnded.signal()
        }
    }

    private static func inheritable() -> Set<Int32> {
        Set(
            (0..<128).filter { descriptor in
                let flags = fcntl(descriptor, F_GETFD)
                return flags >= 0 && flags & FD_CLOEXEC == 0
            })
    }
}
