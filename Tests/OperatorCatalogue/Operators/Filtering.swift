import StreamsTesting

extension Operator {
    /// Operators that let elements pass or not.
    static let filtering = operators {
        Operator(
            "filter(_:)", in: "Filtering/Filter", for: "keep the elements that satisfy a predicate",
            elsewhere: Names(rxSwift: "filter", combine: "filter, tryFilter", rxJava: "filter", rxJS: "filter", flow: "filter")
        ) {
            law(.lossless) { up in up.source.filter { try up.user($0.value >= 0) } }
            picture("--1--2--3--4--|", gives: "-----2-----4--|") { up in up.numbers.filter { $0.isMultiple(of: 2) } }
            fuzz("%0.filter { $0 % 3 != #0 }", 0...2) { parts in
                parts.up.filter { $0 % 3 != parts.number }
            } each: { walk, element in
                if element % 3 != walk.number { walk.next(element) }
            }
            fuzz("%0.filter { if $0 % 11 == #0 { throw TestError(\"filter\") } else { $0 % 2 == 0 } }", 0...4) { parts in
                parts.up.filter { if $0 % 11 == parts.number { throw TestError("filter") } else { $0 % 2 == 0 } }
            } each: { walk, element in
                if element % 11 == walk.number { return walk.error("filter") }
                if element % 2 == 0 { walk.next(element) }
            }
            measured(in: "a struct of four fields through map, filter, map, map")
        }
        Operator(
            "ignoreElements()", in: "Filtering/IgnoreElements", for: "ignore all elements, and forward the terminal event",
            elsewhere: Names(rxSwift: "ignoreElements", combine: "ignoreOutput", rxJava: "ignoreElements", rxJS: "ignoreElements")
        ) {
            law { up in up.source.ignoreElements().ofType(Probed.self) }
            picture("--1--2--|", gives: "--------|") { up in up.numbers.ignoreElements() }
            fuzz("%0.ignoreElements().ofType(Int.self)") { parts in
                parts.up.ignoreElements().ofType(Int.self)
            } each: { _, _ in
            }
        }
        Operator(
            "distinctUntilChanged()", in: "Filtering/DistinctUntilChanged", for: "suppress consecutive duplicates",
            elsewhere: Names(
                rxSwift: "distinctUntilChanged", combine: "removeDuplicates", rxJava: "distinctUntilChanged", rxJS: "distinctUntilChanged",
                flow: "distinctUntilChanged")
        ) {
            law { up in up.source.distinctUntilChanged() }
            picture("--1--1--2--1--|", gives: "--1-----2--1--|") { up in up.numbers.distinctUntilChanged() }
            fuzz("%0.distinctUntilChanged()") { parts in
                parts.up.distinctUntilChanged()
            } reference: { walk in
                var before: Int?
                try walk.each { element in
                    if element != before { walk.next(element) }
                    before = element
                }
            }
            measured(
                in: "skip, distinctUntilChanged, take, one push",
                "struct with a long string, map filter map distinctUntilChanged",
                "plain struct of 128 bytes, map filter map distinctUntilChanged")
        }
        Operator(
            "distinctUntilChanged(_:)", in: "Filtering/DistinctUntilChanged", for: "suppress consecutive elements with equal keys",
            elsewhere: Names(
                rxSwift: "distinctUntilChanged", combine: "removeDuplicates(by:)", rxJava: "distinctUntilChanged",
                rxJS: "distinctUntilKeyChanged", flow: "distinctUntilChangedBy")
        ) {
            law { up in up.source.distinctUntilChanged { try up.user($0.value) } }
            picture("--1--2--3--5--|", gives: "--1--2-----5--|") { up in up.numbers.distinctUntilChanged { $0 / 2 } }
            fuzz("%0.distinctUntilChanged { if $0 % 7 == #0 { throw TestError(\"key\") } else { $0 % 2 } }", 0...6) { parts in
                parts.up.distinctUntilChanged { if $0 % 7 == parts.number { throw TestError("key") } else { $0 % 2 } }
            } reference: { walk in
                var before: Int?
                try walk.each { element in
                    if element % 7 == walk.number { return walk.error("key") }
                    if element % 2 != before { walk.next(element) }
                    before = element % 2
                }
            }
        }
        Operator(
            "distinctUntilChanged(by:)", in: "Filtering/DistinctUntilChanged",
            for: "suppress consecutive duplicates, by a comparison",
            elsewhere: Names(
                rxSwift: "distinctUntilChanged(at:)", combine: "removeDuplicates(by:)", rxJava: "distinctUntilChanged",
                rxJS: "distinctUntilChanged", flow: "distinctUntilChanged")
        ) {
            law { up in up.source.distinctUntilChanged(by: { try up.user($0 == $1) }) }
            picture("--1--3--2--4--|", gives: "--1--3-----4--|") { up in up.numbers.distinctUntilChanged(by: { $0 >= $1 }) }
            fuzz("%0.distinctUntilChanged(by: { $0 % #0 == $1 % #0 })", 1...4) { parts in
                parts.up.distinctUntilChanged(by: { $0 % parts.number == $1 % parts.number })
            } reference: { walk in
                var before: Int?
                try walk.each { element in
                    if element % walk.number != before { walk.next(element) }
                    before = element % walk.number
                }
            }
        }
        Operator(
            "distinct(capacity:_:)", "distinct(capacity:)", in: "Filtering/Distinct",
            for: "suppress all duplicates",
            elsewhere: Names(
                rxSwift: "distinct (RxSwiftExt)", combine: "removeAllDuplicates (CombineExt)", rxJava: "distinct", rxJS: "distinct",
                but: [
                    .rxSwift: [
                        "distinct (RxSwiftExt)":
                            "its closure is a predicate that silences the stream; here it is a key"
                    ]
                ])
        ) {
            law { up in up.source.distinct() }
            law(as: "by a key") { up in up.source.distinct(capacity: 2) { try up.user($0) } }
            picture("--1--2--1--3--1--|", gives: "--1--2-----3--1--|") { up in up.numbers.distinct(capacity: 2) }
            picture("--1--2--4--3--|", gives: "--1--2-----3--|") { up in up.numbers.distinct { $0 % 3 } }
            fuzz("%0.distinct()") { parts in
                parts.up.distinct()
            } reference: { walk in
                var known: Set<Int> = []
                try walk.each { if known.insert($0).inserted { walk.next($0) } }
            }
            fuzz("%0.distinct(capacity: #0) { $0 % 7 }", 0...3) { parts in
                parts.up.distinct(capacity: parts.number) { $0 % 7 }
            } reference: { walk in
                var known: [Int] = []
                try walk.each { element in
                    guard !known.contains(element % 7) else { return }
                    known = (known + [element % 7]).suffix(max(1, walk.number))
                    walk.next(element)
                }
            }
        }
        Operator(
            "sample(_:defaultValue:)", in: "Filtering/Sample", for: "sample the latest element whenever another stream emits",
            elsewhere: Names(
                rxSwift: "sample", rxJava: "sample", rxJS: "sample",
                but: [
                    .rxJava: ["sample": "completes with the source or the sampler, without a last sample"],
                    .rxJS: ["sample": "completes with the source, without a last sample; the end of the sampler is ignored"],
                ])
        ) {
            law([.hot, .dependsOnTime]) { up in up.source.sample(up.other) }
            picture(
                "--1--2--3-----|", "------x----x-----x|", gives: "------2----3-----|", subscribed: "^-------------!", "^----------------!"
            ) { up in up.numbers.sample(up.others) }
            fuzz("%0.sample(%1)") { parts in
                parts.up.sample(parts.other)
            } reference: { walk in
                try walk.subscribeAll(2)
                try walk.sampling(quiet: nil)
            }
            fuzz("%0.sample(%1, defaultValue: #0)", 0...9) { parts in
                parts.up.sample(parts.other, defaultValue: parts.number)
            } reference: { walk in
                try walk.subscribeAll(2)
                try walk.sampling(quiet: walk.number)
            }
        }
        Operator(
            "sample(_:scheduler:)", in: "Filtering/Sample", for: "sample the latest element at an interval",
            elsewhere: Names(
                rxJava: "sample, throttleLast", rxJS: "sampleTime", flow: "sample",
                but: [
                    .rxJava: ["throttleLast": "completes with the source, without a last sample"],
                    .rxJS: ["sampleTime": "completes with the source, without a last sample"],
                    .flow: ["sample": "completes with the source, without a last sample"],
                ])
        ) {
            law([.hot, .dependsOnTime]) { up in up.source.sample(.seconds(1), scheduler: up.scheduler) }
            picture(
                "--1--2--3-----|", gives: "----1---3-------|", subscribed: "^-------------!"
            ) { up in up.numbers.sample(.seconds(4), scheduler: up.scheduler) }
            fuzz("%0.sample(.seconds(#0), scheduler: scheduler)", 1...9) { parts in
                parts.up.sample(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                try walk.subscribe()
                walk.timer(1, after: walk.number)
                try walk.sampling(quiet: nil)
            }
        }
        Operator(
            "audit(_:scheduler:)", in: "Filtering/Audit", for: "emit the latest element a while after the first of a burst",
            elsewhere: Names(rxJS: "auditTime")
        ) {
            law { up in up.source.audit(.seconds(1), scheduler: up.scheduler) }
            picture("-1-2-3----4---|", gives: "----2---3----4|") { up in up.numbers.audit(.seconds(3), scheduler: up.scheduler) }
            fuzz("%0.audit(.seconds(#0), scheduler: scheduler)", 0...6) { parts in
                parts.up.audit(parts.time, scheduler: parts.scheduler)
            } reference: { walk in
                var waiting: Int?
                var isDone = false
                try walk.subscribe()
                try walk.run { input in
                    switch input {
                    case .next(let element, _):
                        if waiting == nil { walk.timer(1, after: walk.number) }
                        waiting = element
                    case .timer:
                        guard let element = waiting else { return }
                        waiting = nil
                        walk.next(element)
                        if isDone { walk.completed() }
                    case .completed:
                        isDone = true
                        if waiting == nil { walk.completed() }
                    case .error: walk.passEnd(input)
                    }
                }
            }
        }
        Operator(
            "pausable(_:)", in: "Filtering/Pausable", for: "pause and resume a stream by another stream",
            elsewhere: Names(rxSwift: "pausable (RxSwiftExt)")
        ) {
            law { up in up.source.pausable(up.other.map { _ in true }) }
            picture("--1--2--3--4--|", "---t-----f-------", gives: "-----2--3-----|") { up in
                up.numbers.pausable(up.others.map { $0 == "t" })
            }
            fuzz("%0.pausable(%1.map { $0 % 2 == 0 })") { parts in
                parts.up.pausable(parts.other.map { $0 % 2 == 0 })
            } reference: { walk in
                var isOpen = false
                try walk.notified {
                    isOpen = $0 % 2 == 0
                } source: { input in
                    if case .next = input, !isOpen { return }
                    walk.pass(input)
                }
            }
        }
        Operator(
            "partition(_:)", in: "Filtering/Partition", for: "split a stream in two by a predicate",
            elsewhere: Names(
                rxSwift: "partition (RxSwiftExt)", combine: "partition (CombineExt)", rxJS: "partition",
                but: [.rxJS: ["partition": "each of the two subscribes to the source"]])
        ) {
            law(.shares) { up in up.source.partition { try up.user($0.value > 1) }.matches }
            picture("--1--2--3--4--|", gives: "-----2-----4--|") { up in up.numbers.partition { $0.isMultiple(of: 2) }.matches }
            fuzz(
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
                    if element % 3 == walk.number { member == 0 ? element : nil } else { member == 1 ? 0 &- element : nil }
                }
            }
        }
        Operator(
            "validate(using:)", in: "Filtering/Validate", for: "fail if an element is invalid",
            elsewhere: Names(combine: "tryMap", flow: "onEach")
        ) {
            law(.lossless) { up in up.source.validate { _ in try up.user(()) } }
            picture("--1--2--3--|", gives: "--1--2--#") { up in
                up.numbers.validate { number in
                    guard number < 3 else { throw TestError.failed }
                }
            }
            fuzz("%0.validate { if $0 % 11 == #0 { throw TestError(\"validate\") } }", 0...4) { parts in
                parts.up.validate { if $0 % 11 == parts.number { throw TestError("validate") } }
            } each: { walk, element in
                if element % 11 == walk.number { walk.error("validate") } else { walk.next(element) }
            }
        }
        Operator("unwrap(orThrow:)", in: "Filtering/Validate", for: "fail if an element is nil", elsewhere: Names(combine: "tryMap")) {
            law(.lossless) { up in up.source.map { Optional($0) }.unwrap(orThrow: TestError.failed) }
            picture("--1--x--3--|", gives: "--1--#") { up in up.letters.map { Int($0) }.unwrap(orThrow: TestError.failed) }
            fuzz("%0.map { $0 % 11 == #0 ? nil : $0 }.unwrap(orThrow: TestError(\"nil\"))", 0...4) { parts in
                parts.up.map { $0 % 11 == parts.number ? nil : $0 }.unwrap(orThrow: TestError("nil"))
            } each: { walk, element in
                if element % 11 == walk.number { walk.error("nil") } else { walk.next(element) }
            }
        }
        Operator(
            "replaceNil(with:)", in: "Filtering/Validate", for: "replace nil by a value",
            elsewhere: Names(combine: "replaceNil(with:)")
        ) {
            law(.lossless) { up in up.source.map { Optional($0) }.replaceNil(with: up.user.element(9)) }
            picture("--1--x--3--|", gives: "--1--0--3--|") { up in up.letters.map { Int($0) }.replaceNil(with: 0) }
            fuzz("%0.map { $0 % 3 == #0 ? nil : $0 }.replaceNil(with: 9)", 0...2) { parts in
                parts.up.map { $0 % 3 == parts.number ? nil : $0 }.replaceNil(with: 9)
            } each: { walk, element in
                walk.next(element % 3 == walk.number ? 9 : element)
            }
        }
    }
}
