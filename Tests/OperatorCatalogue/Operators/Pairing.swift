import StreamsTesting

extension Operator {
    /// Operators that make one element of the elements of several streams.
    static let pairing = operators {
        Operator(
            "withLatestFrom(_:resultSelector:)", "withLatestFrom(_:)", in: "Combining/WithLatestFrom",
            for: "combine each element with the latest of another stream",
            elsewhere: Names(
                rxSwift: "withLatestFrom", combine: "withLatestFrom (CombineExt)", rxJava: "withLatestFrom", rxJS: "withLatestFrom")
        ) {
            law { up in up.source.withLatestFrom(up.other) { element, _ in try up.user(element) } }
            law(as: "the other's element") { up in up.source.withLatestFrom(up.other) }
            law(as: "two others") { up in up.source.withLatestFrom(up.other, up.other) { element, _, _ in try up.user(element) } }
            law(as: "three others") { up in
                up.source.withLatestFrom(up.other, up.other, up.other) { element, _, _, _ in try up.user(element) }
            }
            picture("--1-----2--3--|", "-----3-----------", gives: "--------6--9--|") { up in
                up.numbers.withLatestFrom(up.otherNumbers) { $0 * $1 }
            }
            fuzz(
                "%0.withLatestFrom(%1) { $0 &* 2 &+ $1 }", build: { parts in parts.up.withLatestFrom(parts.other) { $0 &* 2 &+ $1 } },
                reference: { walk in try walk.pairingWithLatest { walk.next($0 &* 2 &+ $1) } })
            fuzz("%0.withLatestFrom(%1) { if ($0 &+ $1) % 11 == #0 { throw TestError(\"latest\") } else { $1 } }", 0...4) { parts in
                parts.up.withLatestFrom(parts.other) { if ($0 &+ $1) % 11 == parts.number { throw TestError("latest") } else { $1 } }
            } reference: { walk in
                try walk.pairingWithLatest { if ($0 &+ $1) % 11 == walk.number { walk.error("latest") } else { walk.next($1) } }
            }
            fuzz("%0.withLatestFrom(%1, %2) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
                parts.up.withLatestFrom(parts.other, parts.upstreams[2]) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
            } reference: { walk in
                var latest: [Int?] = [nil, nil]
                for place in [1, 2, 0] { try walk.subscribe(place) }
                try walk.run { input in
                    switch input {
                    case .next(let element, from: 0):
                        if let second = latest[0], let third = latest[1] { walk.next((element &* 2 &+ second) &* 2 &+ third) }
                    case .next(let element, let place): latest[place - 1] = element
                    case .error: walk.passEnd(input)
                    case .completed(from: 0): walk.completed()
                    // The completion of another stream is ignored, so that an error of the third is not lost.
                    case .completed, .timer: break
                    }
                }
            }
            measured(in: "withLatestFrom, one push")
        }
        Operator(
            "combineLatest(_:delayErrors:resultSelector:)", in: "Combining/CombineLatest",
            for: "combine the latest elements of several streams",
            elsewhere: Names(
                rxSwift: "combineLatest", combine: "combineLatest", rxJava: "combineLatest", rxJS: "combineLatest", flow: "combine",
                but: [.rxJS: ["combineLatest": "completes when all have; here as soon as nothing more can be emitted"]])
        ) {
            law(as: "of two") { up in .combineLatest(up.source, up.other) { element, _ in try up.user(element) } }
            law(as: "of three") { up in .combineLatest(up.source, up.other, up.other) { element, _, _ in try up.user(element) } }
            law(as: "of four") { up in .combineLatest(up.source, up.other, up.other, up.other) { element, _, _, _ in try up.user(element) }
            }
            law(as: "of eight") { up in
                .combineLatest(up.source, up.other, up.other, up.other, up.other, up.other, up.other, up.other) {
                    element, _, _, _, _, _, _, _ in try up.user(element)
                }
            }
            law(as: "of a collection") { up in .combineLatest([up.source, up.other]) { try up.user($0[0]) } }
            law(.delaysErrors, as: "delaying errors") { up in
                .combineLatest(up.source, up.other, delayErrors: true) { element, _ in try up.user(element) }
            }
            picture(
                "--1--------2---|", "-----3--4----|", gives: "-----3--4--8---|", subscribed: "^--------------!", "^------------!"
            ) { up in Observable.combineLatest(up.numbers, up.otherNumbers) { $0 * $1 } }
            picture("-0----------|", "--0---------|", "---1--------|", "----0-------|", "-----2--5---|", gives: "-----3--6---|") { up in
                Observable.combineLatest(up.numbers(0), up.numbers(1), up.numbers(2), up.numbers(3), up.numbers(4)) {
                    $0 + $1 + $2 + $3 + $4
                }
            }
            fuzz(
                "Observable.combineLatest(%0, %1) { $0 &* 2 &+ $1 }",
                build: { parts in .combineLatest(parts.up, parts.other) { $0 &* 2 &+ $1 } }, reference: { try $0.combining(2) })
            fuzz("Observable.combineLatest(%0, %1, %2, delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
                .combineLatest(parts.up, parts.other, parts.upstreams[2], delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
            } reference: { walk in
                try walk.combining(3, delayErrors: true)
            }
            fuzz(
                "Observable.combineLatest([%0, %1]) { $0.reduce(0) { $0 &* 2 &+ $1 } }",
                build: { parts in .combineLatest(parts.upstreams) { $0.reduce(0) { $0 &* 2 &+ $1 } } }, reference: { try $0.combining(2) })
            measured(in: "combineLatest of two, one push")
        }
        Operator(
            "combineLatest(_:delayErrors:)", in: "Combining/CombineLatest",
            for: "combine the latest elements of several streams into a tuple",
            elsewhere: Names(
                rxSwift: "combineLatest", combine: "combineLatest", rxJS: "combineLatest, combineLatestWith",
                but: [
                    .rxJS: [
                        "combineLatest": "completes when all have; here as soon as nothing more can be emitted",
                        "combineLatestWith": "completes when all have; here as soon as nothing more can be emitted",
                    ]
                ])
        ) {
            law(as: "to tuples") { up in Observable.combineLatest(up.source, up.other).map { $0.0 } }
            law(as: "of a stream and another") { up in up.source.combineLatest(up.other).map { $0.0 } }
            law(as: "of a stream and three") { up in up.source.combineLatest(up.other, up.other, up.other).map { $0.0 } }
            picture(
                "--a-----------b--|", "-----1-----2-----|", gives: "-----x-----y--z--|", where: ["x": "a1", "y": "a2", "z": "b2"]
            ) { up in Observable.combineLatest(up.letters, up.otherNumbers).map { letter, number in "\(letter)\(number)" } }
            fuzz(
                "%0.combineLatest(%1).map { $0 &* 2 &+ $1 }",
                build: { parts in parts.up.combineLatest(parts.other).map { $0 &* 2 &+ $1 } }, reference: { try $0.combining(2) })
            fuzz("%0.combineLatest(%1, %2, delayErrors: true).map { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
                parts.up.combineLatest(parts.other, parts.upstreams[2], delayErrors: true).map { ($0 &* 2 &+ $1) &* 2 &+ $2 }
            } reference: { walk in
                try walk.combining(3, delayErrors: true)
            }
        }
        Operator(
            "zip(_:delayErrors:resultSelector:)", in: "Combining/Zip", for: "pair the elements of several streams by index",
            elsewhere: Names(rxSwift: "zip", combine: "zip", rxJava: "zip", rxJS: "zip", flow: "zip")
        ) {
            law(as: "of two") { up in .zip(up.source, up.other) { element, _ in try up.user(element) } }
            law(as: "of three") { up in .zip(up.source, up.other, up.other) { element, _, _ in try up.user(element) } }
            law(as: "of eight") { up in
                .zip(up.source, up.other, up.other, up.other, up.other, up.other, up.other, up.other) { element, _, _, _, _, _, _, _ in
                    try up.user(element)
                }
            }
            law(as: "of a collection") { up in .zip([up.source, up.other]) { try up.user($0[0]) } }
            law(.delaysErrors, as: "delaying errors") { up in
                .zip(up.source, up.other, delayErrors: true) { element, _ in try up.user(element) }
            }
            picture("--1--2--------3--|", "-------4--5-|", gives: "-------4--x-|", where: ["x": "10"]) { up in
                Observable.zip(up.numbers, up.otherNumbers) { $0 * $1 }
            }
            picture("-0----1-----|", "--0----0----|", "---1----1---|", "----0----0--|", "-----2----3-|", gives: "-----3----5-|") { up in
                Observable.zip(up.numbers(0), up.numbers(1), up.numbers(2), up.numbers(3), up.numbers(4)) { $0 + $1 + $2 + $3 + $4 }
            }
            fuzz(
                "Observable.zip(%0, %1) { $0 &* 2 &+ $1 }", build: { parts in .zip(parts.up, parts.other) { $0 &* 2 &+ $1 } },
                reference: { try $0.zipping(2) })
            fuzz("Observable.zip(%0, %1, %2, delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
                .zip(parts.up, parts.other, parts.upstreams[2], delayErrors: true) { ($0 &* 2 &+ $1) &* 2 &+ $2 }
            } reference: { walk in
                try walk.zipping(3, delayErrors: true)
            }
            fuzz(
                "Observable.zip([%0, %1]) { $0.reduce(0) { $0 &* 2 &+ $1 } }",
                build: { parts in .zip(parts.upstreams) { $0.reduce(0) { $0 &* 2 &+ $1 } } }, reference: { try $0.zipping(2) })
            measured(in: "zip of two, one push")
        }
        Operator(
            "zip(_:delayErrors:)", in: "Combining/Zip", for: "pair the elements of several streams by index, as tuples",
            elsewhere: Names(rxSwift: "zip", combine: "zip", rxJS: "zip, zipWith")
        ) {
            law(as: "to tuples") { up in Observable.zip(up.source, up.other).map { $0.0 } }
            law(as: "of a stream and another") { up in up.source.zip(up.other).map { $0.0 } }
            law(as: "of a stream and three") { up in up.source.zip(up.other, up.other, up.other).map { $0.0 } }
            picture("--a-----b--------c--|", "-----1-----2-----|", gives: "-----x-----y-----|", where: ["x": "a1", "y": "b2"]) { up in
                Observable.zip(up.letters, up.otherNumbers).map { letter, number in "\(letter)\(number)" }
            }
            fuzz(
                "%0.zip(%1).map { $0 &* 2 &+ $1 }", build: { parts in parts.up.zip(parts.other).map { $0 &* 2 &+ $1 } },
                reference: { try $0.zipping(2) })
            fuzz("%0.zip(%1, %2, delayErrors: true).map { ($0 &* 2 &+ $1) &* 2 &+ $2 }") { parts in
                parts.up.zip(parts.other, parts.upstreams[2], delayErrors: true).map { ($0 &* 2 &+ $1) &* 2 &+ $2 }
            } reference: { walk in
                try walk.zipping(3, delayErrors: true)
            }
        }
    }
}

extension Walk {
    func combining(_ count: Int, delayErrors: Bool = false) throws {
        var latest: [Int?] = Array(repeating: nil, count: count)
        var running = count
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, let place):
                latest[place] = element
                let elements = latest.compactMap { $0 }
                if elements.count == count { next(elements.reduce(0) { $0 &* 2 &+ $1 }) }
                return
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            running -= 1
            guard running == 0 || latest[input.tag] == nil else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    func zipping(_ count: Int, delayErrors: Bool = false) throws {
        var waiting: [[Int]] = Array(repeating: [], count: count)
        var done: Set<Int> = []
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, let place):
                waiting[place].append(element)
                if waiting.allSatisfy({ !$0.isEmpty }) {
                    next(waiting.reduce(0) { $0 &* 2 &+ $1[0] })
                    for place in waiting.indices { waiting[place].removeFirst() }
                }
            case .error(let name, _) where !delayErrors: return error(name)
            default:
                if case .error(let name, _) = input { failure = failure ?? name }
                done.insert(input.tag)
            }
            guard done.contains(where: { waiting[$0].isEmpty }) else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    /// Subscribes to a second upstream, whose completion is no end, and then to the first one.
    func notified(_ notify: (Int) -> Void, source: (Input) -> Void) throws {
        try subscribe(1)
        try subscribe(0)
        try run { input in
            guard input.tag == 1 else { return source(input) }
            switch input {
            case .next(let element, _): notify(element)
            case .error(let name, _): error(name)
            case .completed, .timer: break
            }
        }
    }

    /// Sends each element of the first upstream, once the second one has sent an element.
    func pairingWithLatest(_ react: (Int, Int) -> Void) throws {
        var latest: Int?
        try notified {
            latest = $0
        } source: { input in
            guard case .next(let element, _) = input else { return passEnd(input) }
            if let latest { react(element, latest) }
        }
    }

    /// Samples by the second upstream, or by a timer that runs again and again.
    func sampling(quiet: Int?) throws {
        var latest: Int?
        var (isDone, isSamplerDone) = (false, false)
        try run { input in
            switch input {
            case .next(let element, from: 0): return latest = element
            case .error(let name, _): return error(name)
            case .completed(from: 0):
                isDone = true
                if isSamplerDone { completed() }
                return
            case .completed: isSamplerDone = true
            case .next, .timer: break
            }
            if let element = latest ?? quiet { next(element) }
            latest = nil
            if isDone { completed() }
            if case .timer = input { timer(1, after: numbers[0]) }
        }
    }
}
