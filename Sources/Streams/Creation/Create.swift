import Schedulers

extension Observable {
    @inlinable @inline(__always)
    public static func create(_ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        Observable { downstream, lifetime in
            let emitter = Emitter(downstream, parent: lifetime)
            emitter.attach()
            lifetime.add(subscribe(AnyObserver { event in emitter.on(event) }))
        }
    }
}

/// The observer that `create` hands out: serial, and deaf once the stream or the subscription has ended.
@usableFromInline
final class Emitter<Element: Sendable>: Teardown, @unchecked Sendable {
    @usableFromInline
    final class Target: Sendable {
        @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void
        @inlinable init(_ handler: @escaping @Sendable (consuming Event<Element>) -> Void) { self.handler = handler }
    }
    @usableFromInline let entrance = SerialEntrance()
    /// Law 2: used only inside the entrance.
    @usableFromInline @exclusivity(unchecked) var target: Unmanaged<Target>?
    private let mark = Resources.Mark("Emitter")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, parent: Lifetime) {
        target = .passRetained(Target(downstream.handler))
        super.init(parent: parent)
    }
    deinit { target?.release() }

    @inlinable @inline(__always)
    func on(_ event: Event<Element>) {
        guard entrance.tryEnter() else { return entrance.enqueue { [self] in deliver(event) } }
        deliver(event)
        entrance.leave()
    }

    @inlinable @inline(__always)
    func deliver(_ event: Event<Element>) {
        guard isAlive, let target else { return }
        target._withUnsafeGuaranteedRef { $0.handler(event) }
        if event.isStopEvent { letGo() }
    }

    @usableFromInline func letGo() {
        let t = target
        target = nil
        t?.release()
    }

    override func tearDown() {
        entrance.enqueue { [self] in letGo() }
    }
}
