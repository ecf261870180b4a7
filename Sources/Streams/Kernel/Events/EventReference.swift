/// An event that is passed to an observer by reference: its element is in memory of the sender, and the receiver owns the element.
///
/// An `Event` with an element of 128 bytes is copied whenever it is created, passed on or read. A reference is passed in two registers, for
/// any element. The receiver takes the element or forwards the reference, once, as the compiler checks; if it does neither, the element is
/// released at the end of the scope.
@usableFromInline
package enum EventReference<Element: Sendable>: ~Copyable {
    case next(ElementReference<Element>)
    case error(any Error)
    case completed

    /// Moves the element out, and returns the event.
    @inlinable @inline(__always)
    package consuming func take() -> Event<Element> {
        switch consume self {
        case .next(let element): .next(element.take())
        case .error(let error): .error(error)
        case .completed: .completed
        }
    }

    /// Moves the event out if it may be emitted in `lifetime`, which a terminal event disposes; otherwise it is dropped.
    @inlinable @inline(__always)
    consuming func take(in lifetime: borrowing Lifetime) -> Event<Element>? {
        let event = take()
        return lifetime.admit(event) ? event : nil
    }

    /// Returns the event of an error. Errors are created only here, for the sake of `ownedError`.
    @inlinable @inline(__always)
    static func failure(_ error: consuming any Error) -> EventReference {
        .error(ownedError(error))
    }

    /// Whether this is an element.
    @inlinable @inline(__always)
    var isElement: Bool {
        switch self {
        case .next: true
        default: false
        }
    }

    /// Whether this is `completed`.
    @inlinable @inline(__always)
    var isCompleted: Bool {
        switch self {
        case .completed: true
        default: false
        }
    }

    /// Whether this is an element that satisfies `predicate`.
    @inlinable func isElement(where predicate: (Element) -> Bool) -> Bool {
        switch self {
        case .next(let element): element.read(predicate)
        default: false
        }
    }
}

/// Returns `error`, in a call that the optimizer cannot see through.
///
/// The optimizer of Swift 6.3.1 crashes (in its pass CopyPropagation) where the copy of a borrowed error becomes the payload of a
/// noncopyable type.
@usableFromInline @inline(never)
func ownedError(_ error: consuming any Error) -> any Error {
    error
}

/// The memory in which an element is passed, and the ownership of the element: an element that is neither taken nor forwarded is released.
///
/// Law 2 makes this sound: one observer at a time has the memory, which outlives the call that passes it.
@frozen @usableFromInline
@safe package struct ElementReference<Element: Sendable>: ~Copyable {
    @usableFromInline let address: UnsafeMutablePointer<Element>

    @inlinable @inline(__always)
    init(_ address: UnsafeMutablePointer<Element>) {
        unsafe self.address = unsafe address
    }

    @inlinable @inline(__always)
    deinit {
        unsafe address.deinitialize(count: 1)
    }

    /// Moves the element out.
    @inlinable @inline(__always)
    consuming func take() -> Element {
        let element = unsafe address.move()
        discard self
        return element
    }

    /// Calls `body` with the element, which is neither moved nor retained for the call.
    @inlinable @inline(__always)
    package func read<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
        guard !_isPOD(Element.self) else { return try unsafe body(address.pointee) }
        let element = unsafe address.move()
        defer { unsafe address.initialize(to: element) }
        return try body(element)
    }

    // The memory is no variable's: Swift would release a variable whose element has been moved out. Nor is it the payload of an optional
    // that becomes `nil` afterwards: the optimizer of Swift 6.3.1 has removed the store of such an element.
    #if DEBUG
        /// Calls `handler` with a reference to memory of the heap with `element` in it: memory of the stack takes a closure, which adds
        /// stack frames to every operator (law 5).
        @usableFromInline
        static func send(_ element: consuming Element, to handler: (consuming EventReference<Element>) -> Void) {
            let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
            unsafe memory.initialize(to: consume element)
            unsafe handler(.next(ElementReference(memory)))
            unsafe memory.deallocate()
        }
    #else
        /// Calls `handler` with a reference to `element` on the stack.
        @inlinable @inline(__always)
        static func send(_ element: consuming Element, to handler: (consuming EventReference<Element>) -> Void) {
            unsafe place(element) { memory in unsafe handler(.next(ElementReference(memory))) }
        }

        /// Calls `body` with the address of `element` on the stack; `body` must move the element out. No receiver writes beyond it, so the
        /// frame needs no stack protector.
        @inlinable @inline(__always)
        static func place(_ element: consuming Element, _ body: (UnsafeMutablePointer<Element>) -> Void) {
            if _isPOD(Element.self) {
                var element = element
                unsafe _withUnprotectedUnsafeMutablePointer(to: &element) { memory in unsafe body(memory) }
            } else {
                // A closure cannot consume an element that it captures, but can take one out of an optional. A constant for the element
                // would retain it until the body has returned.
                var element: Element? = consume element
                unsafe _withUnprotectedUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
                    // swift-format-ignore: NeverForceUnwrap
                    let memory = memory.baseAddress!
                    // swift-format-ignore: NeverForceUnwrap
                    unsafe memory.initialize(to: element.take()!)
                    unsafe body(memory)
                }
            }
        }
    #endif
}

extension Event {
    /// Calls `handler` with a reference to this event.
    @inlinable @inline(__always)
    consuming func send(to handler: (consuming EventReference<Element>) -> Void) {
        switch consume self {
        case .next(let element): ElementReference.send(consume element, to: handler)
        case .error(let error): handler(.failure(error))
        case .completed: handler(.completed)
        }
    }
}
