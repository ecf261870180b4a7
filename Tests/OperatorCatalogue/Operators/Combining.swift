import StreamsTesting

extension Operator {
    /// Operators that make one stream of several.
    static let combining = operators {
        Operator(
            "amb(_:)", in: "Combining/Amb", for: "forward the stream that emits first",
            elsewhere: Names(rxSwift: "amb", combine: "amb (CombineExt)", rxJava: "ambArray", rxJS: "race, raceWith")
        ) {
            law { up in up.source.amb(up.other.skip(1_000)) }
            picture(
                "----1--2--|", "--3----4--|", gives: "--3----4--|", subscribed: "^-!", "^---------!"
            ) { up in Observable.amb([up.letters, up.others]) }
            fuzz("Observable.amb([%0, %1])") { parts in
                .amb([parts.up, parts.other])
            } reference: { walk in
                var winner: Int?
                try walk.subscribe(0)
                try walk.subscribe(1)
                try walk.run { input in
                    if winner == nil {
                        winner = input.tag
                        walk.dispose(1 - input.tag)
                    }
                    walk.pass(input)
                }
            }
            fuzz("Observable.amb(%0, %1, %2)") { parts in
                .amb(parts.upstreams[0], parts.upstreams[1], parts.upstreams[2])
            } reference: { walk in
                var winner: Int?
                try walk.subscribeAll(3)
                try walk.run { input in
                    if winner == nil {
                        winner = input.tag
                        for loser in 0..<3 where loser != winner { walk.dispose(loser) }
                    }
                    walk.pass(input)
                }
            }
        }
        Operator(
            "concat(_:delayErrors:)", in: "Combining/Concat", for: "concatenate streams",
            elsewhere: Names(
                rxSwift: "concat", combine: "append", rxJava: "concat, concatWith", rxJS: "concat, concatWith",
                flow: "onCompletion + emitAll")
        ) {
            law { up in up.source.concat(up.other) }
            law(as: "of a sequence") { up in .concat(up.source, up.other.take(1), .just(up.user.element(9))) }
            law(.delaysErrors, as: "delaying errors") { up in up.source.concat(up.other, delayErrors: true) }
            picture(
                "--1--|", "---2---3--|", gives: "--1----3--|", subscribed: "^----!", "-----^----!"
            ) { up in Observable.concat(up.letters, up.others) }
            fuzz("%0.concat(%1)", build: { $0.up.concat($0.other) }, reference: { try $0.concatenating(2) })
            fuzz(
                "Observable.concat(%0, %1, %2, delayErrors: true)", build: { .concat($0.upstreams, delayErrors: true) },
                reference: { try $0.concatenating(3, delayErrors: true) })
        }
        Operator(
            "startWith(_:)", in: "Combining/Concat", for: "emit elements before a stream",
            elsewhere: Names(rxSwift: "startWith", combine: "prepend", rxJava: "startWithArray", rxJS: "startWith", flow: "onStart")
        ) {
            law { up in up.source.startWith(up.user.element(8), up.user.element(9)) }
            picture("-----1--2--|", gives: "(89)-1--2--|") { up in up.numbers.startWith(8, 9) }
            fuzz("%0.startWith(#0, #1)", 0...9, 0...9) { parts in
                parts.up.startWith(parts.number, parts.numbers[1])
            } reference: { walk in
                walk.next(walk.number)
                walk.next(walk.numbers[1])
                try walk.each { walk.next($0) }
            }
        }
        Operator(
            "endWith(_:)", in: "Combining/Concat", for: "emit elements after a stream",
            elsewhere: Names(combine: "append", rxJS: "endWith", flow: "onCompletion")
        ) {
            law { up in up.source.endWith(up.user.element(8), up.user.element(9)) }
            picture("--1--2--|", gives: "--1--2--(89|)") { up in up.numbers.endWith(8, 9) }
            fuzz("%0.endWith(#0)", 0...9) { parts in
                parts.up.endWith(parts.number)
            } reference: { walk in
                try walk.each {
                    walk.next($0)
                } completed: {
                    walk.next(walk.number)
                    walk.completed()
                }
            }
        }
        Operator(
            "ifEmpty(default:)", "replaceEmpty(with:)", in: "Combining/IfEmpty", for: "emit a default element if a stream is empty",
            elsewhere: Names(
                rxSwift: "ifEmpty(default:)", combine: "replaceEmpty(with:)", rxJava: "defaultIfEmpty", rxJS: "defaultIfEmpty",
                flow: "onEmpty")
        ) {
            law(.lossless) { up in up.source.ifEmpty(default: up.user.element(9)) }
            law(.lossless, as: "by its other name") { up in up.source.replaceEmpty(with: up.user.element(9)) }
            picture("-------|", gives: "-------(p|)") { up in up.letters.ifEmpty(default: "p") }
            fuzz("%0.ifEmpty(default: #0)", 0...9) { parts in
                parts.up.ifEmpty(default: parts.number)
            } reference: { walk in
                var isEmpty = true
                try walk.each { element in
                    isEmpty = false
                    walk.next(element)
                } completed: {
                    if isEmpty { walk.next(walk.number) }
                    walk.completed()
                }
            }
        }
        Operator(
            "ifEmpty(switchTo:)", in: "Combining/IfEmpty", for: "continue with another stream if a stream is empty",
            elsewhere: Names(rxSwift: "ifEmpty(switchTo:)", rxJava: "switchIfEmpty", flow: "onEmpty")
        ) {
            law(.lossless) { up in up.source.ifEmpty(switchTo: up.other) }
            law(as: "of nothing") { up in up.source.filter { _ in false }.ifEmpty(switchTo: up.other.take(1)) }
            picture(
                "--|", "-a--b--|", gives: "----b--|", subscribed: "^-!", "--^----!"
            ) { up in up.letters.ifEmpty(switchTo: up.others) }
            fuzz("%0.ifEmpty(switchTo: %1)") { parts in
                parts.up.ifEmpty(switchTo: parts.other)
            } reference: { walk in
                var isEmpty = true
                try walk.subscribe(0)
                try walk.run { input in
                    switch input {
                    case .next(let element, _):
                        isEmpty = false
                        walk.next(element)
                    case .completed(from: 0) where isEmpty: try walk.subscribe(1)
                    default: walk.passEnd(input)
                    }
                }
            }
        }
        Operator(
            "merge(_:delayErrors:)", in: "Combining/Merge", for: "merge several streams",
            elsewhere: Names(rxSwift: "merge", combine: "Publishers.Merge", rxJava: "merge", rxJS: "merge, mergeWith", flow: "merge")
        ) {
            law(.dependsOnTime) { up in .merge(up.source, up.other) }
            law([.delaysErrors, .dependsOnTime], as: "delaying errors") { up in .merge(up.source, up.other, delayErrors: true) }
            law(.dependsOnTime, as: "of three") { up in .merge(up.source, up.other, up.other) }
            picture(
                "--1-----3--|", "-----2---------4--|", gives: "--1--2--3------4--|", subscribed: "^----------!", "^-----------------!"
            ) { up in Observable.merge(up.letters, up.others) }
            fuzz("Observable.merge(%0, %1)", build: { .merge($0.up, $0.other) }, reference: { try $0.merging(2) })
            fuzz("Observable.merge(%0, %1, %2)", build: { .merge($0.upstreams) }, reference: { try $0.merging(3) })
            fuzz(
                "Observable.merge(%0, %1, delayErrors: true)", build: { .merge($0.up, $0.other, delayErrors: true) },
                reference: { try $0.merging(2, delayErrors: true) })
            measured(in: "merge of two, one push")
        }
        Operator(
            "merge(maxConcurrent:overflow:delayErrors:)", in: "Combining/Merge",
            for: "merge a stream of streams",
            elsewhere: Names(
                rxSwift: "merge(maxConcurrent:)", combine: "flatMap(maxPublishers:)", rxJava: "merge", rxJS: "mergeAll",
                flow: "flattenMerge")
        ) {
            law(.lossless, as: "of inner streams") { up in up.source.map { Observable.just($0) }.merge() }
            law(.lossless, as: "one at a time") { up in up.source.map { Observable.just($0) }.merge(maxConcurrent: 1) }
            law([.lossless, .delaysErrors], as: "with a bound, delaying errors") { up in
                up.source.map { Observable.just($0) }.merge(
                    maxConcurrent: 1, overflow: .fail(capacity: .max), delayErrors: true)
            }
            picture("-abc--------|", gives: "----a--c----|") { up in up.letters.map(up.loading).merge(maxConcurrent: 1, overflow: .latest) }
            fuzz("%0.map { x in @ }.merge(maxConcurrent: #0)", 1...3) { parts in
                parts.up.map { parts.body($0) }.merge(maxConcurrent: parts.number)
            } reference: { walk in
                try walk.flattening(atOnce: walk.number)
            }
        }
        Operator(
            "concat(delayErrors:)", in: "Combining/Merge", for: "concatenate a stream of streams",
            elsewhere: Names(
                rxSwift: "concat", combine: "flatMap(maxPublishers: .max(1))", rxJava: "concat", rxJS: "concatAll", flow: "flattenConcat")
        ) {
            law(.lossless) { up in up.source.map { Observable.just($0) }.concat() }
            law(.delaysErrors, as: "delaying errors") { up in up.source.map { Observable.just($0) }.concat(delayErrors: true) }
            picture("-a-b--------|", gives: "----a--b----|") { up in up.letters.map(up.loading).concat() }
            fuzz(
                "%0.map { x in @ }.concat()", build: { parts in parts.up.map { parts.body($0) }.concat() },
                reference: { try $0.flattening(atOnce: 1) })
        }
        Operator(
            "switchLatest()", in: "Combining/Merge", for: "forward only the latest of a stream of streams",
            elsewhere: Names(rxSwift: "switchLatest", combine: "switchToLatest", rxJava: "switchOnNext", rxJS: "switchAll")
        ) {
            law(.lossless) { up in up.source.map { Observable.just($0) }.switchLatest() }
            picture("-a-b--------|", gives: "------b-----|") { up in up.letters.map(up.loading).switchLatest() }
            fuzz(
                "%0.map { x in @ }.switchLatest()", build: { parts in parts.up.map { parts.body($0) }.switchLatest() },
                reference: { try $0.switching() })
        }
        Operator(
            "sequenceEqual(_:)", in: "Combining/SequenceEqual", for: "compare two streams",
            elsewhere: Names(rxJava: "sequenceEqual", rxJS: "sequenceEqual")
        ) {
            law(.endsEarly) { up in up.source.sequenceEqual(up.other).map { up.user.element($0 ? 1 : 0) } }
            picture("--1--2-----|", "-----1---3--|", gives: "---------(f|)", where: ["f": "false"]) { up in
                up.letters.sequenceEqual(up.others)
            }
            fuzz("%0.sequenceEqual(%1).map { $0 ? 1 : 0 }") { parts in
                parts.up.sequenceEqual(parts.other).map { $0 ? 1 : 0 }
            } reference: { walk in
                var seen: [[Int]] = [[], []]
                var isDone = [false, false]
                try walk.subscribeAll(2)
                try walk.run { input in
                    switch input {
                    case .next(let element, let side): seen[side].append(element)
                    case .completed(let side): isDone[side] = true
                    default: return walk.passEnd(input)
                    }
                    let common = min(seen[0].count, seen[1].count)
                    let isOdd = seen[0].prefix(common) != seen[1].prefix(common)
                    let isLonger = (0...1).contains { isDone[$0] && seen[1 - $0].count > seen[$0].count }
                    guard isOdd || isLonger || isDone == [true, true] else { return }
                    walk.next(isOdd || isLonger ? 0 : 1)
                    walk.completed()
                }
            }
        }
    }
}

extension Walk {
    func merging(_ count: Int, delayErrors: Bool = false) throws {
        var running = count
        var failure: String?
        try subscribeAll(count)
        try run { input in
            switch input {
            case .next(let element, _): return next(element)
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            running -= 1
            guard running == 0 else { return }
            if let failure { error(failure) } else { completed() }
        }
    }

    func concatenating(_ count: Int, delayErrors: Bool = false) throws {
        var failure: String?
        try subscribe(0)
        try run { input in
            switch input {
            case .next(let element, _): return next(element)
            case .error(let name, _) where !delayErrors: return error(name)
            case .error(let name, _): failure = failure ?? name
            case .completed, .timer: break
            }
            if input.tag + 1 < count { return try subscribe(input.tag + 1) }
            if let failure { error(failure) } else { completed() }
        }
    }
}
