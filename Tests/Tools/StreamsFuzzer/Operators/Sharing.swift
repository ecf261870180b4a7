import StreamsTesting

/// Shared streams, each heard by two subscribers whose elements are merged: one from the beginning, one that comes later. They are
/// shared anew for each subscription to the whole, so that what one subscription sees does not depend on others.
let sharingChapter = chapter {
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.share()
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4
    ) { parts in
        parts.heardTwice { $0.share() }
    } reference: { walk in
        try walk.sharing(replay: 0, isForever: false)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.share(replay: #3)
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4, 0...3
    ) { parts in
        parts.heardTwice { $0.share(replay: parts.numbers[3]) }
    } reference: { walk in
        try walk.sharing(replay: walk.numbers[3], isForever: false)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.share(replay: #3, scope: .forever)
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4, 0...3
    ) { parts in
        parts.heardTwice { $0.share(replay: parts.numbers[3], scope: .forever) }
    } reference: { walk in
        try walk.sharing(replay: walk.numbers[3], isForever: true)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.subscribe(on: scheduler).replay(#3).refCount()
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4, 0...3
    ) { parts in
        parts.heardTwice { $0.subscribe(on: parts.scheduler).replay(parts.numbers[3]).refCount() }
    } reference: { walk in
        try walk.sharing(replay: walk.numbers[3], isForever: false, connectsLater: true)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.subscribe(on: scheduler).multicast(ReplaySubject(bufferSize: #3)).refCount()
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4, 0...3
    ) { parts in
        parts.heardTwice { $0.subscribe(on: parts.scheduler).multicast(ReplaySubject(bufferSize: parts.numbers[3])).refCount() }
    } reference: { walk in
        try walk.sharing(replay: walk.numbers[3], isForever: true, connectsLater: true)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let shared = %0.subscribe(on: scheduler).publish().refCount()
            return Observable.merge(
                shared.take(#0), shared.delaySubscription(.seconds(#1), scheduler: scheduler).take(#2))
        }
        """, 1...4, 0...9, 1...4
    ) { parts in
        parts.heardTwice { $0.subscribe(on: parts.scheduler).publish().refCount() }
    } reference: { walk in
        try walk.sharing(replay: 0, isForever: false, connectsLater: true)
    }
    FuzzOperator("Observable.deferred { { shared in Observable.merge(shared, shared) }(%0.share()) }") { parts in
        .deferred {
            let shared = parts.up.share()
            return .merge(shared, shared)
        }
    } reference: { walk in
        try walk.sharing(replay: 0, isForever: false, takes: [.max, .max], delay: nil)
    }
    FuzzOperator(
        """
        Observable.deferred {
            let halves = %0.partition { $0 % 3 == #0 }
            return Observable.merge(halves.matches, halves.nonMatches.map { 0 &- $0 })
        }
        """, 0...2
    ) { parts in
        .deferred {
            let halves = parts.up.partition { $0 % 3 == parts.number }
            return .merge(halves.matches, halves.nonMatches.map { 0 &- $0 })
        }
    } reference: { walk in
        try walk.sharing(replay: 0, isForever: false, takes: [.max, .max], delay: nil) { member, element in
            if element % 3 == walk.numbers[0] { member == 0 ? element : nil } else { member == 1 ? 0 &- element : nil }
        }
    }
}

extension FuzzOperator.Parts {
    fileprivate func heardTwice(_ share: @escaping @Sendable (Observable<Int>) -> Observable<Int>) -> Observable<Int> {
        .deferred {
            let shared = share(up)
            return .merge(
                shared.take(numbers[0]), shared.delaySubscription(.seconds(numbers[1]), scheduler: scheduler).take(numbers[2]))
        }
    }
}

extension Walk {
    fileprivate func sharing(replay: Int, isForever: Bool, connectsLater: Bool = false) throws {
        try sharing(
            replay: replay, isForever: isForever, takes: [numbers[0], numbers[2]], delay: numbers[1], connectsLater: connectsLater)
    }

    /// Two members, the second of which comes `delay` ticks later or, without one, right after the first. Each stays for so many
    /// elements. Connections are tagged 0, 1, 2... With `connectsLater`, the source is subscribed to in an action of its own.
    fileprivate func sharing(
        replay: Int, isForever: Bool, takes: [Int], delay: Int?, connectsLater: Bool = false,
        heard: (_ member: Int, Int) -> Int? = { $1 }
    ) throws {
        var left = takes
        var members: [Int] = []
        var gone: Set<Int> = []
        let (second, connected) = (-1, -2)
        var (connections, isConnected) = (0, false)
        var kept: [Int] = []
        var stop: Signal?
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
            guard left[member] > 0, let element = heard(member, element) else { return }
            left[member] -= 1
            next(element)
            if left[member] == 0 { leave(member) }
        }
        func end(_ member: Int, _ signal: Signal) {
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
