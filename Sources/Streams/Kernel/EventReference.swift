/// An event that is passed to an observer by reference: its element is in memory of the sender, and the receiver owns it.
///
/// An `Event` with an element of 128 bytes is copied whenever it is created, passed on or read; a reference is passed in two registers,
/// whatever the element. The receiver of a `next` does exactly one of three things before it returns: it takes the element, drops it, or
/// forwards the reference.
@usableFromInline
enum EventReference<Element: Sendable> {
    case next(ElementReference<Element>)
    case error(any Error)
    case completed

    /// Moves the element out, and returns the event.
    @inlinable @inline(__always)
    func take() -> Event<Element> {
        switch self {
        case .next(let element): .next(element.take())
        case .error(let error): .error(error)
        case .completed: .completed
        }
    }
}

/// The memory that an element is passed in.
///
/// Law 2 makes it sound: one observer at a time has it, and the memory outlives the call that passes it.
@usableFromInline
struct ElementReference<Element: Sendable> {
    @usableFromInline let address: UnsafeMutablePointer<Element>

    @inlinable @inline(__always)
    init(_ address: UnsafeMutablePointer<Element>) {
        self.address = address
    }

    /// Refers to the payload of an optional, which is stored at its beginning.
    @inlinable @inline(__always)
    init(payloadAt address: UnsafeMutablePointer<Element?>) {
        self.init(UnsafeMutableRawPointer(address).assumingMemoryBound(to: Element.self))
    }

    /// Moves the element out.
    @inlinable @inline(__always)
    func take() -> Element {
        address.move()
    }

    /// Releases an element that is not passed on.
    @inlinable @inline(__always)
    func drop() {
        address.deinitialize(count: 1)
    }

    /// Calls `body` with the element, which is neither moved nor retained for the call.
    @inlinable @inline(__always)
    func read<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
        guard !_isPOD(Element.self) else { return try body(address.pointee) }
        let element = address.move()
        defer { address.initialize(to: element) }
        return try body(element)
    }

    // Once the payload of an optional has been moved out, nothing is left to be released.
    #if DEBUG
        /// Calls `handler` with a reference to memory on the stack with `element` in it.
        @usableFromInline
        static func send(_ element: consuming Element, to handler: (EventReference<Element>) -> Void) {
            var element: Element? = consume element
            send(at: &element, to: handler)
        }

        /// Calls `handler` with a reference to the payload, without closures, each of which would add a stack frame to every operator (law 5).
        @usableFromInline
        static func send(at address: UnsafeMutablePointer<Element?>, to handler: (EventReference<Element>) -> Void) {
            handler(.next(ElementReference(payloadAt: address)))
            address.initialize(to: nil)
        }
    #else
        /// Calls `handler` with a reference to `element` on the stack. No receiver writes beyond it, so the frame needs no stack protector.
        @inlinable @inline(__always)
        static func send(_ element: consuming Element, to handler: (EventReference<Element>) -> Void) {
            if _isPOD(Element.self) {
                var element = element
                _withUnprotectedUnsafeMutablePointer(to: &element) { handler(.next(ElementReference($0))) }
            } else {
                var element: Element? = consume element
                _withUnprotectedUnsafeMutablePointer(to: &element) { memory in
                    handler(.next(ElementReference(payloadAt: memory)))
                    memory.initialize(to: nil)
                }
            }
        }
    #endif
}

extension Event {
    /// Calls `handler` with a reference to this event.
    @inlinable @inline(__always)
    consuming func send(to handler: (EventReference<Element>) -> Void) {
        switch consume self {
        case .next(let element): ElementReference.send(consume element, to: handler)
        case .error(let error): handler(.error(error))
        case .completed: handler(.completed)
        }
    }
}
