import CInspector
import CStreamsSystem
import Foundation
import Streams

/// The facts about a thread that the inspector needs.
final class InspectedThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            pthread_key_create(&key) { Unmanaged<InspectedThread>.fromOpaque($0).release() }
        #else
            pthread_key_create(&key) { thread in
                if let thread { Unmanaged<InspectedThread>.fromOpaque(thread).release() }
            }
        #endif
        return key
    }()

    /// The names of threads, each once, and "other" for all beyond a thousand: a program may name each of its threads differently.
    private static let names = Lock<[String]>(["other"])
    private static let nameLimit = 1_000

    /// The operator whose code is running; it starts whatever is started meanwhile.
    var node: InspectedNode?
    /// The lifetime in which a last upstream is being started.
    var lastStart: ObjectIdentifier?
    /// The index of its name.
    let name: Int
    /// The end of its stack.
    let stackTop = streams_stack_top()

    private init() {
        let name = Self.nameOfCurrent().excerpt(40)
        self.name = Self.names.withLock { names in
            if let index = names.firstIndex(of: name) { return index }
            guard names.count < Self.nameLimit else { return 0 }
            names.append(name)
            return names.count - 1
        }
    }

    static var current: InspectedThread {
        if let known = pthread_getspecific(key) { return Unmanaged<InspectedThread>.fromOpaque(known).takeUnretainedValue() }
        let thread = InspectedThread()
        pthread_setspecific(key, Unmanaged.passRetained(thread).toOpaque())
        return thread
    }

    static func name(_ index: Int) -> String {
        names.withLock { $0[index] }
    }

    /// Makes `node` the current one, and returns the previous one.
    func enter(_ node: InspectedNode?) -> InspectedNode? {
        let outer = self.node
        self.node = node
        return outer
    }

    /// Whether a stream that is started in `lifetime` is the last upstream that is being started; only the first one is.
    func takeLastStart(in lifetime: Lifetime) -> Bool {
        guard let lastStart else { return false }
        self.lastStart = nil
        return lastStart == ObjectIdentifier(lifetime)
    }

    private static func nameOfCurrent() -> String {
        guard !Thread.isMainThread else { return "main" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress, streams_thread_name(start, 64) == 0 else { return "unnamed" }
            return String(cString: start)
        }
    }
}
