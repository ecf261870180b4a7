import StreamsTesting

extension Operator {
    /// Operators with one subscription for many subscribers. In the fuzzer two subscribers share the stream, one from the beginning and one
    /// later, and are merged. The stream is shared anew for each subscription to the result, so that one subscription does not depend on
    /// others.
    static let sharing = operators {
        Operator(
            "connect()", in: "Sharing/ConnectableObservable", for: "connect to a shared source explicitly",
            elsewhere: Names(rxSwift: "connect", combine: "connect", rxJava: "connect", rxJS: "connect")
        ) {
            picture("--1--2--|", gives: "--1--2--|") { up in
                let shared = up.numbers.publish()
                return shared.do(onSubscribed: { _ = shared.connect() })
            }
            without(.law, because: "refCount() and autoconnect(_:) call it; ConnectableObservableTests has cases of its own")
            without(.fuzz, because: "refCount() calls it")
        }
        Operator(
            "refCount()", in: "Sharing/ConnectableObservable", for: "connect while there are subscribers",
            elsewhere: Names(
                rxSwift: "refCount", combine: "autoconnect", rxJava: "refCount", rxJS: "refCount", flow: "shareIn(WhileSubscribed)",
                but: [.combine: ["autoconnect": "the name is taken: `autoconnect(_:)` here stays connected"]])
        ) {
            law([.shares, .lossless]) { up in up.source.publish().refCount() }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.publish().refCount() }
            fuzz(heardTwice: "%0.subscribe(on: scheduler).replay(#3).refCount()", 0...3) { up, parts in
                up.subscribe(on: parts.scheduler).replay(parts.numbers[3]).refCount()
            } reference: { walk in
                try walk.sharing(replay: walk.numbers[3], isForever: false, connectsLater: true)
            }
            fuzz(heardTwice: "%0.subscribe(on: scheduler).multicast(ReplaySubject(bufferSize: #3)).refCount()", 0...3) { up, parts in
                up.subscribe(on: parts.scheduler).multicast(ReplaySubject(bufferSize: parts.numbers[3])).refCount()
            } reference: { walk in
                try walk.sharing(replay: walk.numbers[3], isForever: true, connectsLater: true)
            }
            fuzz(heardTwice: "%0.subscribe(on: scheduler).publish().refCount()") { up, parts in
                up.subscribe(on: parts.scheduler).publish().refCount()
            } reference: { walk in
                try walk.sharing(replay: 0, isForever: false, connectsLater: true)
            }
        }
        Operator(
            "autoconnect(_:)", in: "Sharing/ConnectableObservable", for: "connect at the first subscriber, and stay connected",
            elsewhere: Names(
                rxJava: "autoConnect", rxJS: "shareReplay", flow: "shareIn(Lazily)",
                but: [
                    .rxJS: [
                        "shareReplay": "it is `replay(n).autoconnect()`; after an error the next subscriber there starts the source again"
                    ]
                ])
        ) {
            law([.shares, .lossless, .staysConnected]) { up in up.source.publish().autoconnect() }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.publish().autoconnect() }
            without(.fuzz, because: "its connection outlives the case: ConnectableObservableTests")
        }
        Operator(
            "multicast(_:)", in: "Sharing/Multicast", for: "share through a given subject",
            elsewhere: Names(rxSwift: "multicast", combine: "multicast(subject:)")
        ) {
            law([.shares, .lossless]) { up in up.source.multicast(PublishSubject()).refCount() }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.multicast(ReplaySubject(bufferSize: 1)).refCount() }
            without(.fuzz, because: "refCount() has it")
        }
        Operator(
            "multicast(makeSubject:)", "publish()", "replay(_:)", "replayAll()", in: "Sharing/Multicast",
            for: "share through a new subject for each connection",
            elsewhere: Names(
                rxSwift: "multicast(makeSubject:)", combine: "multicast(_:)", rxJava: "publish, replay", rxJS: "connectable",
                flow: "shareIn")
        ) {
            law([.shares, .lossless]) { up in up.source.multicast(makeSubject: { ReplaySubject<Probed>(bufferSize: 1) }).refCount() }
            law([.shares, .lossless], as: "replay") { up in up.source.replay(2).refCount() }
            picture("--1--2--|", gives: "--1--2--|") { up in
                up.numbers.multicast(makeSubject: { ReplaySubject(bufferSize: 1) }).refCount()
            }
            without(.fuzz, because: "refCount() has publish and replay")
        }
        Operator(
            "multicast(_:selector:)", in: "Sharing/MulticastSelector",
            for: "use a stream several times within one subscription",
            elsewhere: Names(rxSwift: "multicast(_:selector:)", rxJava: "publish(selector)", rxJS: "connect(selector)")
        ) {
            law([.lossless, .hot]) { up in up.source.multicast({ PublishSubject() }) { shared in try up.user(shared) } }
            law(.lossless, as: "with a subject made by the user") { up in
                up.source.multicast({ try up.user(ReplaySubject(bufferSize: 1)) }) { $0 }
            }
            picture("--1--2--4--|", gives: "-----1--2--|") { up in
                up.numbers.multicast({ PublishSubject() }) { shared in Observable.zip(shared, shared.skip(1)) { $1 - $0 } }
            }
            fuzz("%0.multicast({ PublishSubject() }) { x in Observable.merge(x, x.map { $0 &+ #0 }) }", 1...9) { parts in
                parts.up.multicast({ PublishSubject() }) { x in Observable.merge(x, x.map { $0 &+ parts.number }) }
            } each: { walk, element in
                walk.next(element)
                walk.next(element &+ walk.number)
            }
        }
        Operator(
            "cache()", in: "Sharing/Multicast", for: "subscribe once, and replay everything to later subscribers",
            elsewhere: Names(rxJava: "cache")
        ) {
            law([.shares, .lossless, .staysConnected]) { up in up.source.cache() }
            picture("--1--|", gives: "--1--|") { up in up.letters.cache() }
            without(.fuzz, because: "its connection outlives the case: CacheTests")
        }
        Operator(
            "share()", in: "Sharing/Share", for: "share one subscription among all subscribers",
            elsewhere: Names(
                rxSwift: "share", combine: "share", rxJava: "share", rxJS: "share", flow: "shareIn",
                but: [
                    .combine: ["share": "a subscriber after the end receives that; here it starts a new connection"],
                    .flow: ["shareIn": "it runs until its scope is cancelled, and does not complete"],
                ])
        ) {
            law([.shares, .lossless]) { up in up.source.share() }
            picture("--1--2--|", gives: "--1--2--|") { up in
                let shared = up.numbers.share()
                return Observable.merge(shared, shared).distinctUntilChanged()
            }
            fuzz(heardTwice: "%0.share()", share: { up, _ in up.share() }, reference: { try $0.sharing(replay: 0, isForever: false) })
            fuzz("Observable.deferred { { shared in Observable.merge(shared, shared) }(%0.share()) }") { parts in
                .deferred {
                    let shared = parts.up.share()
                    return .merge(shared, shared)
                }
            } reference: { walk in
                try walk.sharing(replay: 0, isForever: false, takes: [.max, .max], delay: nil)
            }
            measured(in: "share(): connect, one event, disconnect")
        }
        Operator(
            "share(replay:scope:)", in: "Sharing/Share", for: "share one subscription, and replay the latest elements",
            elsewhere: Names(
                rxSwift: "share(replay:scope:)", combine: "share(replay:) (CombineExt)", rxJava: "replay(n).refCount",
                rxJS: "shareReplay({ refCount: true })", flow: "shareIn(replay)",
                but: [
                    .combine: [
                        "share(replay:) (CombineExt)":
                            "a subscriber after the end receives what was kept; here only with `scope: .forever`"
                    ],
                    .rxJS: [
                        "shareReplay({ refCount: true })":
                            "a subscriber after a completion receives what was kept; here only with `scope: .forever`"
                    ],
                ])
        ) {
            law([.shares, .lossless]) { up in up.source.share(replay: 1) }
            law([.shares, .lossless], as: "forever") { up in up.source.share(replay: 1, scope: .forever) }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.share(replay: 1) }
            fuzz(
                heardTwice: "%0.share(replay: #3)", 0...3, share: { $0.share(replay: $1.numbers[3]) },
                reference: { try $0.sharing(replay: $0.numbers[3], isForever: false) })
            fuzz(
                heardTwice: "%0.share(replay: #3, scope: .forever)", 0...3, share: { $0.share(replay: $1.numbers[3], scope: .forever) },
                reference: { try $0.sharing(replay: $0.numbers[3], isForever: true) })
            measured(in: "share(replay: 1): connect, one event, disconnect")
        }
    }
}

/// A shared stream from which two subscribers take a few elements, the second one later. The numbers of the operator itself begin at the
/// fourth.
func fuzz(
    heardTwice template: String, _ ranges: ClosedRange<Int>...,
    share: @escaping @Sendable (Observable<Int>, FuzzOperator.Parts) -> Observable<Int>,
    reference: @escaping @Sendable (Walk) throws -> Void
) -> Facet {
    let code = """
        Observable.deferred {
            let shared = \(template)
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """
    let build: @Sendable (FuzzOperator.Parts) -> Observable<Int> = { parts in
        .deferred {
            let (shared, numbers) = (share(parts.up, parts), parts.numbers)
            return .merge(
                shared.take(numbers[0]),
                shared.delaySubscription(.seconds(numbers[1]), scheduler: parts.scheduler).take(numbers[2]))
        }
    }
    return .fuzz(FuzzOperator(code, [1...4, 0...9, 1...4] + ranges, build: build, reference: reference))
}

extension Walk {
    func sharing(replay: Int, isForever: Bool, connectsLater: Bool = false) throws {
        try sharing(
            replay: replay, isForever: isForever, takes: [numbers[0], numbers[2]], delay: numbers[1], connectsLater: connectsLater)
    }

    /// Starts two members. The second comes `delay` ticks later or, without a delay, right after the first. Each takes its number of
    /// elements. Connections are tagged 0, 1, 2... With `connectsLater`, the source is subscribed to in an action of its own.
    func sharing(
        replay: Int, isForever: Bool, takes: [Int], delay: Int?, connectsLater: Bool = false,
        received: (_ member: Int, Int) -> Int? = { $1 }
    ) throws {
        var left = takes
        var members: [Int] = []
        var gone: Set<Int> = []
        let (second, connected) = (-1, -2)
        var (connections, isConnected) = (0, false)
        var kept: [Int] = []
        var stop: FuzzEvent?
        func leave(_ member: Int) {
            members.removeAll { $0 == member }
            gone.insert(member)
            if gone.count == 2 { completed() }
            guard members.isEmpty, isConnected else { return }
            isConnected = false
            dispose(connections - 1)
            cancel(connected)
        }
        func deliver(_ element: Int, to member: Int) {
            guard left[member] > 0, let element = received(member, element) else { return }
            left[member] -= 1
            next(element)
            if left[member] == 0 { leave(member) }
        }
        func end(_ member: Int, _ signal: FuzzEvent) {
            if case .error(let name) = signal { error(name) } else { leave(member) }
        }
        func join(_ member: Int) throws {
            if !isConnected, !isForever { kept = [] }
            members.append(member)
            for element in kept { deliver(element, to: member) }
            guard members.contains(member) else { return }
            if isForever, let stop { return end(member, stop) }
            guard !isConnected else { return }
            isConnected = true
            connections += 1
            if connectsLater { timer(connected, after: 0) } else { try subscribe(0, as: connections - 1) }
        }
        try join(0)
        if let delay { timer(second, after: delay) } else { turn(second) }
        try run { input in
            guard let signal = input.signal else {
                return input.tag == second ? try join(1) : try subscribe(0, as: connections - 1)
            }
            guard case .next(let element) = signal else {
                (isConnected, stop) = (false, signal)
                for member in members { end(member, signal) }
                return
            }
            kept = (kept + [element]).suffix(replay)
            for member in members { deliver(element, to: member) }
        }
    }
}
