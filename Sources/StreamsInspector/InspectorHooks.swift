import Streams

/// The functions that the library's probe calls.
final class InspectorHooks: ProbeHooks {
    /// The operator whose code is running.
    private var running: InspectedNode? { InspectedThread.current.node }

    func creating<Element: Sendable>(_ start: @escaping Probe.Start<Element>, isSynchronous: Bool) -> Probe.Start<Element> {
        Inspection.wrapped(start, isSynchronous)
    }

    func startsLast(in lifetime: Lifetime) {
        InspectedThread.current.lastStart = ObjectIdentifier(lifetime)
    }

    func created(_ lifetime: Lifetime, in parent: Lifetime?, sharing core: (any AnyObject & Sendable)?) {
        guard let parent else {
            return InspectedStreams.noteConnection(lifetime, core.map { core in InspectedSharing(of: core) { true } })
        }
        InspectedStreams.noteCreation(of: lifetime, in: parent)
    }

    func ended(_ state: AnyObject) {
        if let state = state as? InspectedLifetime { InspectedStreams.end(state) }
    }

    func retained(_ lifetime: Lifetime, by owner: Lifetime?) {
        guard let owner else { return InspectedStreams.noteRetainer(of: lifetime, .bag) }
        InspectedStreams.noteOwner(of: lifetime, owner)
    }

    func closed(_ gate: Gate) {
        gate.closedAt.set(Int(MonotonicTime.now))
    }

    func queued(_ name: StaticString, bound: Int, readBy lifetime: Lifetime?, _ count: @escaping @Sendable () -> Int) {
        let queue = InspectedQueue(name: name, bound: bound, count: count)
        guard let lifetime else {
            running?.change { $0.queues.append(queue) }
            return
        }
        InspectedStreams.noteRetainer(of: lifetime, .task)
        InspectedStreams.noteQueue(queue, of: lifetime)
    }

    func timed(_ timer: ProbedTimer.Due) -> Bool {
        guard let running else { return false }
        running.change { $0.timers.append(timer) }
        return true
    }

    func limited(by core: AnyObject, isWaiting: @escaping @Sendable () -> Bool, _ figures: @escaping @Sendable () -> String?) {
        let id = UInt64(UInt(bitPattern: ObjectIdentifier(core)))
        let limiter = InspectedLimiter(id: id, kind: "\(type(of: core))", figures: figures, isWaiting: isWaiting)
        running?.change { $0.limiter = limiter }
    }

    func shared(_ core: any AnyObject & Sendable, isConnected: @escaping @Sendable () -> Bool) {
        let sharing = InspectedSharing(of: core, isConnected: isConnected)
        running?.change { $0.sharing = sharing }
    }

    func described(as summary: String) {
        let text = summary.excerpt(200)
        running?.change { $0.summary = text }
    }

    func shown<Object: AnyObject & Sendable>(
        _ object: Object, as kind: StaticString, _ facts: @escaping @Sendable (Object) -> Probe.Facts?
    ) {
        guard let streams = Inspection.ofNewObject else { return }
        let read = { @Sendable [weak object] in object.map { (ObjectIdentifier($0), facts($0)) } }
        streams.objects.add(InspectedObject(streams.makeID(), "\(kind)", CallStack.capture(), read: read))
    }
}

/// Called by the constructor of `CInspector`, in every program that is linked with this module.
@_cdecl("streams_inspector_install")
func install(_ isWanted: Int32) {
    Inspection.install(isWanted: isWanted != 0)
}
