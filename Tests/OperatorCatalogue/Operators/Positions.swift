import StreamsTesting

extension Operator {
    /// Operators that let elements pass by their place: from the front, from the back, or in time.
    static let positions = operators {
        Operator(
            "element(at:)", in: "Filtering/Elements", for: "take the element at an index",
            elsewhere: Names(
                rxSwift: "element(at:)", combine: "output(at:)", rxJava: "elementAt", rxJS: "elementAt",
                but: [
                    .combine: ["output(at:)": "completes without an error if there is none"],
                    .rxJava: ["elementAt": "completes without an error if there is none"],
                ])
        ) {
            law(.endsEarly) { up in up.source.element(at: 1) }
            picture("--1--2--3--|", gives: "-----(2|)") { up in up.numbers.element(at: 1) }
            fuzz("%0.element(at: #0)", -1...3) { parts in
                parts.up.element(at: parts.number)
            } reference: { walk in
                var left = walk.number
                guard left >= 0 else { return walk.error("StreamError.noElement(at: \(left))") }
                try walk.each { element in
                    left -= 1
                    guard left == -1 else { return }
                    walk.next(element)
                    walk.completed()
                } completed: {
                    walk.error("StreamError.noElement(at: \(walk.number))")
                }
            }
        }
        Operator(
            "first()", "first(where:)", in: "Filtering/Elements", for: "take the first element",
            elsewhere: Names(
                rxSwift: "first (as a Single)", combine: "first", rxJava: "first", rxJS: "first, find", flow: "first",
                but: [
                    .rxSwift: ["first (as a Single)": "the element is optional, and `nil` if there is none"],
                    .combine: ["first": "completes without an error if there is none: `take(1)`"],
                    .rxJava: ["first": "it has a default: `take(1).ifEmpty(default:)`"],
                    .rxJS: ["find": "emits `undefined` if there is none"],
                ])
        ) {
            law(.endsEarly) { up in up.source.first() }
            law(.endsEarly, as: "of some") { up in up.source.first { try up.user($0.value == 2) } }
            picture("--1--2--|", gives: "--(1|)") { up in up.numbers.first() }
            fuzz("%0.first()", build: { $0.up.first() }, reference: { walk in try walk.takingFirst { _ in true } })
            fuzz(
                "%0.first { $0 % 3 == #0 }", 0...2, build: { parts in parts.up.first { $0 % 3 == parts.number } },
                reference: { walk in try walk.takingFirst { $0 % 3 == walk.number } })
        }
        Operator(
            "last()", in: "Filtering/Elements", for: "take the last element",
            elsewhere: Names(
                combine: "last", rxJava: "last", rxJS: "last", flow: "last",
                but: [
                    .combine: ["last": "completes without an error if there is none: `takeLast(1)`"],
                    .rxJava: ["last": "it has a default: `takeLast(1).ifEmpty(default:)`"],
                ])
        ) {
            law { up in up.source.last() }
            picture("--1--2--|", gives: "--------(2|)") { up in up.numbers.last() }
            fuzz("%0.last()") { parts in
                parts.up.last()
            } reference: { walk in
                var last: Int?
                try walk.each { element in
                    last = element
                } completed: {
                    guard let last else { return walk.error("StreamError.noElements") }
                    walk.next(last)
                    walk.completed()
                }
            }
        }
        Operator(
            "single()", "single(_:)", in: "Filtering/Elements", for: "require exactly one element",
            elsewhere: Names(
                rxSwift: "single", rxJava: "single", rxJS: "single", flow: "single",
                but: [
                    .rxJava: ["single": "emits when the source completes, as `asSingle()` does here"],
                    .rxJS: ["single": "emits when the source completes, as `asSingle()` does here"],
                ])
        ) {
            law(.endsEarly) { up in up.source.single { try up.user($0.value == 2) } }
            picture("--1--2--|", gives: "--1--#", failing: StreamError.moreThanOneElement) { up in up.numbers.single() }
            fuzz("%0.single()", build: { $0.up.single() }, reference: { walk in try walk.takingOnly { _ in true } })
            fuzz(
                "%0.single { $0 % 3 == #0 }", 0...2, build: { parts in parts.up.single { $0 % 3 == parts.number } },
                reference: { walk in try walk.takingOnly { $0 % 3 == walk.number } })
        }
        Operator(
            "take(_:)", in: "Filtering/Take", for: "take the first few elements",
            elsewhere: Names(rxSwift: "take(_:)", combine: "prefix(_:)", rxJava: "take", rxJS: "take", flow: "take")
        ) {
            law(.endsEarly) { up in up.source.take(2) }
            law(.lossless, as: "many") { up in up.source.take(1_000_000) }
            law(.ignoresSource, as: "none") { up in up.source.take(0) }
            picture("--1--2--3--|", gives: "--1--(2|)") { up in up.numbers.take(2) }
            fuzz("%0.take(#0)", -1...4) { parts in
                parts.up.take(parts.number)
            } reference: { walk in
                var left = walk.number
                guard left > 0 else { return walk.completed() }
                try walk.each { element in
                    left -= 1
                    walk.next(element)
                    if left == 0 { walk.completed() }
                }
            }
            measured(in: "skip, distinctUntilChanged, take, one push")
        }
        Operator(
            "take(for:scheduler:)", in: "Filtering/TakeFor", for: "take the elements of the first seconds",
            elsewhere: Names(rxSwift: "take(for:scheduler:)", combine: "prefix(duration:) (CombineExt)", rxJava: "take(time, unit)")
        ) {
            law([.endsEarly, .dependsOnTime]) { up in up.source.take(for: .seconds(5), scheduler: up.scheduler) }
            picture("--1--2--3--|", gives: "--1--2-|") { up in up.numbers.take(for: .seconds(7), scheduler: up.scheduler) }
            fuzz("%0.take(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
                parts.up.take(for: parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                walk.timer(1, after: walk.number)
                try walk.subscribe()
                try walk.run { input in
                    if case .timer = input { walk.completed() } else { walk.pass(input) }
                }
            }
        }
        Operator(
            "skip(for:scheduler:)", in: "Filtering/TakeFor", for: "skip the elements of the first seconds",
            elsewhere: Names(rxSwift: "skip(_:scheduler:)", rxJava: "skip(time, unit)")
        ) {
            law { up in up.source.skip(for: .seconds(1), scheduler: up.scheduler) }
            picture("--1--2--3--|", gives: "-----2--3--|") { up in up.numbers.skip(for: .seconds(4), scheduler: up.scheduler) }
            fuzz("%0.skip(for: .seconds(#0), scheduler: scheduler)", 0...9) { parts in
                parts.up.skip(for: parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var isOpen = walk.number == 0
                if !isOpen { walk.timer(1, after: walk.number) }
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .timer: isOpen = true
                    case .next where !isOpen: break
                    default: walk.pass(input)
                    }
                }
            }
        }
        Operator(
            "takeLast(_:)", in: "Filtering/TakeLast", for: "take the last few elements",
            elsewhere: Names(
                rxSwift: "takeLast", combine: "suffix (of a sequence)", rxJava: "takeLast", rxJS: "takeLast",
                but: [.rxJS: ["takeLast": "`takeLast(0)` completes at once; here when the source does"]])
        ) {
            law { up in up.source.takeLast(2) }
            law(as: "many") { up in up.source.takeLast(1_000_000) }
            picture("--1--2--3--|", gives: "-----------(23|)") { up in up.numbers.takeLast(2) }
            fuzz("%0.takeLast(#0)", -1...4) { parts in
                parts.up.takeLast(parts.number)
            } reference: { walk in
                var last: [Int] = []
                try walk.each { element in
                    last = (last + [element]).suffix(max(0, walk.number))
                } completed: {
                    for element in last { walk.next(element) }
                    walk.completed()
                }
            }
        }
        Operator(
            "take(until:)", in: "Filtering/TakeUntil", for: "take elements until another stream emits",
            elsewhere: Names(rxSwift: "take(until:)", combine: "prefix(untilOutputFrom:)", rxJava: "takeUntil", rxJS: "takeUntil")
        ) {
            law(.endsEarly) { up in up.source.take(until: up.other.skip(1)) }
            law(.lossless, as: "a stream that says nothing") { up in up.source.take(until: Observable<Int>.never()) }
            picture("--1--2--3--4--|", "-------x------", gives: "--1--2-|") { up in up.numbers.take(until: up.others) }
            fuzz("%0.take(until: %1)") { parts in
                parts.up.take(until: parts.other)
            } reference: { walk in
                try walk.notified { _ in
                    walk.completed()
                } source: {
                    walk.pass($0)
                }
            }
        }
        Operator(
            "take(while:behavior:)", in: "Filtering/TakeWhile", for: "take elements while a predicate holds",
            elsewhere: Names(
                rxSwift: "take(while:behavior:)", combine: "prefix(while:)", rxJava: "takeWhile", rxJS: "takeWhile",
                flow: "takeWhile, transformWhile")
        ) {
            law(.endsEarly) { up in up.source.take(while: { try up.user($0.value < 2) }) }
            law(.lossless, as: "inclusive") { up in up.source.take(while: { try up.user($0.value >= 0) }, behavior: .inclusive) }
            picture("--1--2--3--1--|", gives: "--1--2--|") { up in up.numbers.take(while: { $0 < 3 }) }
            fuzz("%0.take(while: { $0 % 4 != #0 })", 0...3) { parts in
                parts.up.take(while: { $0 % 4 != parts.number })
            } each: { walk, element in
                if element % 4 != walk.number { walk.next(element) } else { walk.completed() }
            }
            fuzz("%0.take(while: { $0 % 4 != #0 }, behavior: .inclusive)", 0...3) { parts in
                parts.up.take(while: { $0 % 4 != parts.number }, behavior: .inclusive)
            } each: { walk, element in
                walk.next(element)
                if element % 4 == walk.number { walk.completed() }
            }
        }
        Operator(
            "skip(_:)", in: "Filtering/Skip", for: "skip the first few elements",
            elsewhere: Names(rxSwift: "skip(_:)", combine: "dropFirst(_:)", rxJava: "skip", rxJS: "skip", flow: "drop")
        ) {
            law { up in up.source.skip(1) }
            picture("--1--2--3--|", gives: "--------3--|") { up in up.numbers.skip(2) }
            fuzz("%0.skip(#0)", -1...3) { parts in
                parts.up.skip(parts.number)
            } reference: { walk in
                var left = walk.number
                try walk.each { element in
                    if left <= 0 { walk.next(element) } else { left -= 1 }
                }
            }
            measured(in: "skip, distinctUntilChanged, take, one push")
        }
        Operator(
            "skip(while:)", in: "Filtering/SkipWhile", for: "skip elements while a predicate holds",
            elsewhere: Names(rxSwift: "skip(while:)", combine: "drop(while:)", rxJava: "skipWhile", rxJS: "skipWhile", flow: "dropWhile")
        ) {
            law { up in up.source.skip(while: { try up.user($0.value < 2) }) }
            picture("--1--2--3--1--|", gives: "--------3--1--|") { up in up.numbers.skip(while: { $0 < 3 }) }
            fuzz("%0.skip(while: { $0 % 4 != #0 })", 0...3) { parts in
                parts.up.skip(while: { $0 % 4 != parts.number })
            } reference: { walk in
                var isOpen = false
                try walk.each { element in
                    isOpen = isOpen || element % 4 == walk.number
                    if isOpen { walk.next(element) }
                }
            }
        }
        Operator(
            "skip(until:)", in: "Filtering/SkipWhile", for: "skip elements until another stream emits",
            elsewhere: Names(rxSwift: "skip(until:)", combine: "drop(untilOutputFrom:)", rxJava: "skipUntil", rxJS: "skipUntil")
        ) {
            law { up in up.source.skip(until: up.other) }
            picture(
                "--1--2--3--4--|", "-------x------", gives: "--------3--4--|", subscribed: "^-------------!", "^------!"
            ) { up in up.numbers.skip(until: up.others) }
            fuzz("%0.skip(until: %1)") { parts in
                parts.up.skip(until: parts.other)
            } reference: { walk in
                var isOpen = false
                try walk.notified { _ in
                    isOpen = true
                    walk.dispose(1)
                } source: { input in
                    if case .next = input, !isOpen { return }
                    walk.pass(input)
                }
            }
        }
        Operator(
            "skipLast(_:)", in: "Filtering/SkipWhile", for: "skip the last few elements",
            elsewhere: Names(rxJava: "skipLast", rxJS: "skipLast")
        ) {
            law { up in up.source.skipLast(1) }
            picture("--1--2--3--4--|", gives: "--------1--2--|") { up in up.numbers.skipLast(2) }
            fuzz("%0.skipLast(#0)", -1...3) { parts in
                parts.up.skipLast(parts.number)
            } reference: { walk in
                var waiting: [Int] = []
                try walk.each { element in
                    waiting.append(element)
                    if waiting.count > max(0, walk.number) { walk.next(waiting.removeFirst()) }
                }
            }
        }
    }
}

extension Walk {
    func takingFirst(where matches: (Int) -> Bool) throws {
        try each { element in
            guard matches(element) else { return }
            next(element)
            completed()
        } completed: {
            error("StreamError.noElements")
        }
    }

    func takingOnly(where matches: (Int) -> Bool) throws {
        var count = 0
        try each { element in
            guard matches(element) else { return }
            count += 1
            if count == 1 { next(element) } else { error("StreamError.moreThanOneElement") }
        } completed: {
            if count == 1 { completed() } else { error("StreamError.noElements") }
        }
    }
}
