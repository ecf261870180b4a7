import Foundation

/// Starts threads. Unlike Foundation's `Thread`, it reports when the system has none left.
package enum SystemThread {
    private final class Body: Sendable {
        private let name: String
        private let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            (self.name, self.run) = (name, run)
        }

        func runNamed() {
            Thread.current.name = name
            run()
        }
    }

    /// Runs `run` on a thread of its own.
    ///
    /// - Parameter name: the name that debuggers and `top -H` show; Linux keeps 15 bytes of it.
    /// - Returns: 0, or the system's error if there is no thread.
    package static func start(named name: String, _ run: @escaping @Sendable () -> Void) -> Int32 {
        let body = unsafe Unmanaged.passRetained(Body(name, run))
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let error = unsafe pthread_create(&thread, &attributes, main, body.toOpaque())
        if error != 0 { unsafe body.release() }
        return error
    }

    #if canImport(Darwin)
        private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
            body.runNamed()
            return nil
        }
    #else
        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context = unsafe context else { return nil }
            let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
            body.runNamed()
            return nil
        }
    #endif
}

/// A reference that each thread has to the object which runs on it. The object is not retained.
@usableFromInline
package struct ThreadReference<Object: AnyObject>: Sendable {
    @usableFromInline let key: pthread_key_t

    @inlinable
    package init() {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        self.key = key
    }

    /// The object of the innermost `with` that runs on this thread.
    @inlinable
    package var current: Object? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with `object` as the current one.
    @inlinable
    package func with(_ object: Object, _ body: () -> Void) {
        let outer = unsafe pthread_getspecific(key)
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(object).toOpaque())
        defer { unsafe pthread_setspecific(key, outer) }
        body()
    }
}

/// An object that each thread has of its own: made when the thread first asks for it, and released when the thread ends.
package struct ThreadLocal<Object: AnyObject>: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> Object

    package init(_ make: @escaping @Sendable () -> Object) {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { unsafe release($0) }
        (self.key, self.make) = (key, make)
    }

    /// The object of this thread.
    package var value: Object {
        if let object = unsafe pthread_getspecific(key) { return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue() }
        let object = make()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
        return object
    }
}

private func release(_ object: UnsafeMutableRawPointer?) {
    guard let object = unsafe object else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
}
