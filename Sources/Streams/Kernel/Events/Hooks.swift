import Foundation

/// Handlers of conditions that cannot be reported to a subscriber. Each can be replaced, from any thread.
public enum Hooks {
    private struct Handlers {
        var unhandledError: @Sendable (any Error, Place?) -> Void = { error, place in
            Hooks.print("unhandled error: \(error)\(place.map { ", traced at \($0)" } ?? "")")
        }
        var errorInBinder: @Sendable (any Error) -> Void = { error in
            #if DEBUG
                fatalError("an error reached a binder: \(error)")
            #else
                Hooks.print("an error reached a binder: \(error)")
            #endif
        }
        var serializerBacklog: @Sendable (Int) -> Void = { depth in
            Hooks.print("\(depth) events wait at one serializer: its producers are faster than its observer")
        }
    }

    private static let handlers = Lock(Handlers())

    /// Called with an error that reached the end of a chain without an `onError`, and with the place where that chain was built, if it has
    /// a `trace()`. By default both are printed on standard error.
    public static var unhandledError: @Sendable (any Error, Place?) -> Void {
        get { handlers.withLock { $0.unhandledError } }
        set { replace { $0.unhandledError = newValue } }
    }

    /// Called with an error that reached a `Binder`: a programming mistake. By default it traps in a debug build, and is printed on
    /// standard error in a release build.
    public static var errorInBinder: @Sendable (any Error) -> Void {
        get { handlers.withLock { $0.errorInBinder } }
        set { replace { $0.errorInBinder = newValue } }
    }

    /// Called in debug builds when more than 100,000 events are queued in one serializer, with their number.
    public static var serializerBacklog: @Sendable (Int) -> Void {
        get { handlers.withLock { $0.serializerBacklog } }
        set { replace { $0.serializerBacklog = newValue } }
    }

    /// Replaces a handler. The last one is passed out of the lock: it captures values of the user (law 3).
    private static func replace(_ change: (inout Handlers) -> Void) {
        _ = handlers.withLock { handlers in
            let last = handlers
            change(&handlers)
            return last
        }
    }

    /// Reports an error that the subscription of `lifetime` does not handle.
    @usableFromInline
    static func unhandledError(_ error: any Error, in lifetime: Lifetime) {
        unhandledError(error, lifetime.tracedPlace)
    }

    static let serializerWarningDepth = 100_000

    private static func print(_ line: String) {
        FileHandle.standardError.write(Data("Streams: \(line)\n".utf8))
    }
}
