import Foundation
import StreamsTesting

extension Operator {
    /// Operators that turn each element into another, or combine several elements of a stream.
    static let transforming = operators {
        Operator(
            "map(_:)", in: "Transforming/Map", for: "transform each element",
            elsewhere: Names(rxSwift: "map", combine: "map, tryMap", rxJava: "map", rxJS: "map", flow: "map")
        ) {
            law(.lossless) { up in up.source.map { try up.user($0) } }
            picture("--1--2--3--|", gives: "--2--4--6--|") { up in up.numbers.map { $0 * 2 } }
            fuzz("%0.map { $0 &+ #0 }", 1...9, build: { parts in parts.up.map { $0 &+ parts.number } }, each: { $0.next($1 &+ $0.number) })
            fuzz("%0.map { if $0 % 11 == #0 { throw TestError(\"map\") } else { $0 &* 3 } }", 0...4) { parts in
                parts.up.map { if $0 % 11 == parts.number { throw TestError("map") } else { $0 &* 3 } }
            } each: { walk, element in
                if element % 11 == walk.number { walk.error("map") } else { walk.next(element &* 3) }
            }
            measured(in: "one map behind it", "ten maps behind it", "a struct of four fields through map, filter, map, map")
        }
        Operator(
            "compactMap(_:)", in: "Transforming/CompactMap", for: "transform each element, and drop nil",
            elsewhere: Names(rxSwift: "compactMap", combine: "compactMap", rxJava: "mapOptional", flow: "mapNotNull")
        ) {
            law(.lossless) { up in up.source.compactMap { try up.user($0) } }
            picture("--1--x--3--|", gives: "--1-----3--|") { up in up.letters.compactMap(Int.init) }
            fuzz("%0.compactMap { $0 % 3 == #0 ? nil : $0 &+ 1 }", 0...2) { parts in
                parts.up.compactMap { $0 % 3 == parts.number ? nil : $0 &+ 1 }
            } each: { walk, element in
                if element % 3 != walk.number { walk.next(element &+ 1) }
            }
        }
        Operator(
            "mapTo(_:)", in: "Transforming/CompactMap", for: "emit the same value for each element",
            elsewhere: Names(rxSwift: "mapTo (RxSwiftExt)", combine: "mapToValue (CombineExt)", rxJS: "mapTo")
        ) {
            law { up in up.source.mapTo(up.user.element(9)) }
            picture("--1--2--|", gives: "--x--x--|") { up in up.numbers.mapTo("x") }
            fuzz("%0.mapTo(#0)", 0...9, build: { $0.up.mapTo($0.number) }, each: { walk, _ in walk.next(walk.number) })
        }
        Operator(
            "unwrap()", in: "Transforming/CompactMap", for: "drop nil",
            elsewhere: Names(rxSwift: "compactMap { $0 }, unwrap (RxSwiftExt)", combine: "compactMap { $0 }", flow: "filterNotNull")
        ) {
            law(.lossless) { up in up.source.map { Optional($0) }.unwrap() }
            picture("--1--x--3--|", gives: "--1-----3--|") { up in up.letters.map { Int($0) }.unwrap() }
            fuzz("%0.map { $0 % 3 == #0 ? nil : Optional($0) }.unwrap()", 0...2) { parts in
                parts.up.map { $0 % 3 == parts.number ? nil : Optional($0) }.unwrap()
            } each: { walk, element in
                if element % 3 != walk.number { walk.next(element) }
            }
        }
        Operator(
            "cast(to:)", in: "Transforming/Cast", for: "cast elements to another type, or fail",
            elsewhere: Names(rxJava: "cast")
        ) {
            law(.lossless) { up in up.source.cast(to: Probed.self) }
            picture("--a--b--|", gives: "--a--b--|") { up in up.letters.map { $0 as any Sendable }.cast(to: String.self) }
            fuzz(passing: "%0.cast(to: Int.self)") { parts in parts.up.cast(to: Int.self) }
        }
        Operator(
            "ofType(_:)", in: "Transforming/Cast", for: "keep the elements of one type",
            elsewhere: Names(rxSwift: "ofType (RxSwiftExt)", rxJava: "ofType", flow: "filterIsInstance")
        ) {
            law(.lossless) { up in up.source.ofType(Probed.self) }
            picture("--a--1--b--|", gives: "--a-----b--|") { up in
                up.letters.map { text -> any Sendable in Int(text) ?? text }.ofType(String.self)
            }
            fuzz(passing: "%0.ofType(Int.self)") { parts in parts.up.ofType(Int.self) }
        }
        Operator("decode(as:using:)", in: "Transforming/Decode", for: "decode data", elsewhere: Names(combine: "decode")) {
            law { up in up.source.map { _ in Data("1".utf8) }.decode(as: Int.self).map(up.user.element) }
            picture("--d--|", gives: "--r--|") { up in
                up.letters.map { _ in Data(#"["r"]"#.utf8) }.decode(as: [String].self).map { $0[0] }
            }
            without(.fuzz, because: "its elements are data, not numbers")
        }
        Operator(
            "materialize()", in: "Transforming/Materialize", for: "emit all events as elements",
            elsewhere: Names(rxSwift: "materialize", combine: "materialize (CombineExt)", rxJava: "materialize", rxJS: "materialize")
        ) {
            picture("--1--#", gives: "--a--(b|)", where: ["a": "next(1)", "b": "error(failed)"]) { up in up.numbers.materialize() }
            fuzz("%0.materialize().map { $0.element ?? ($0.isCompleted ? -1 : -2) }") { parts in
                parts.up.materialize().map { $0.element ?? ($0.isCompleted ? -1 : -2) }
            } eachInput: { walk, input in
                if case .next(let element, _) = input { return walk.next(element) }
                if case .completed = input { walk.next(-1) } else { walk.next(-2) }
                walk.completed()
            }
            without(.law, because: "the laws run it with dematerialize()")
        }
        Operator(
            "dematerialize()", in: "Transforming/Materialize", for: "turn elements that are events back into events",
            elsewhere: Names(
                rxSwift: "dematerialize", combine: "dematerialize (CombineExt)", rxJava: "dematerialize", rxJS: "dematerialize")
        ) {
            law(.lossless, as: "after materialize()") { up in up.source.materialize().dematerialize() }
            picture("--a--x--b--|", gives: "--a--|") { up in
                up.letters.map { $0 == "x" ? Event<String>.completed : .next($0) }.dematerialize()
            }
            fuzz(passing: "%0.materialize().dematerialize()") { parts in parts.up.materialize().dematerialize() }
        }
        Operator(
            "elements()", in: "Transforming/Materialize", for: "take the elements of materialized events",
            elsewhere: Names(rxSwift: "elements (RxSwiftExt)", combine: "values (CombineExt)")
        ) {
            law([.lossless, .handlesErrors]) { up in up.source.materialize().elements() }
            picture("--1--2--#", gives: "--1--2--|") { up in up.numbers.materialize().elements() }
            fuzz("%0.materialize().elements()") { parts in
                parts.up.materialize().elements()
            } eachInput: { walk, input in
                if case .error = input { walk.completed() } else { walk.pass(input) }
            }
        }
        Operator(
            "errors()", in: "Transforming/Materialize", for: "take the error of materialized events",
            elsewhere: Names(rxSwift: "errors (RxSwiftExt)", combine: "failures (CombineExt)")
        ) {
            law(.handlesErrors) { up in up.source.materialize().errors().map { _ in up.user.element(9) } }
            picture("--1--2--#", gives: "--------(e|)", where: ["e": "failed"]) { up in up.numbers.materialize().errors() }
            fuzz("%0.materialize().errors().map { _ in -5 }") { parts in
                parts.up.materialize().errors().map { _ in -5 }
            } eachInput: { walk, input in
                if case .next = input { return }
                if case .error = input { walk.next(-5) }
                walk.completed()
            }
        }
        Operator(
            "pairwise()", in: "Transforming/Pairwise", for: "pair each element with the previous one",
            elsewhere: Names(
                rxSwift: "pairwise (RxSwiftExt)", combine: "pairwise (CombineExt)", rxJava: "buffer(2, 1)", rxJS: "pairwise",
                but: [.rxJava: ["buffer(2, 1)": "emits the last element alone at completion, too"]])
        ) {
            law { up in up.source.pairwise().map { $1 } }
            picture("--1--2--4--|", gives: "-----1--2--|") { up in up.numbers.pairwise().map { $1 - $0 } }
            fuzz("%0.pairwise().map { $0 &* 2 &- $1 }") { parts in
                parts.up.pairwise().map { $0 &* 2 &- $1 }
            } reference: { walk in
                var before: Int?
                try walk.each { element in
                    if let before { walk.next(before &* 2 &- element) }
                    before = element
                }
            }
        }
        Operator(
            "nwise(_:)", in: "Transforming/Pairwise", for: "emit each element together with the previous ones",
            elsewhere: Names(
                rxSwift: "nwise (RxSwiftExt)", combine: "nwise (CombineExt)", rxJava: "buffer(n, 1)", rxJS: "bufferCount(n, 1)",
                but: [
                    .rxJava: ["buffer(n, 1)": "emits the incomplete arrays at completion, too"],
                    .rxJS: ["bufferCount(n, 1)": "emits the incomplete arrays at completion, too"],
                ])
        ) {
            law { up in up.source.nwise(2).map { $0[1] } }
            picture("-1-2-3-4-|", gives: "-----a-b-|", where: ["a": "[1, 2, 3]", "b": "[2, 3, 4]"]) { up in up.numbers.nwise(3) }
            fuzz("%0.nwise(#0).map { $0.reduce(0) { $0 &* 2 &+ $1 } }", 0...3) { parts in
                parts.up.nwise(parts.number).map { $0.reduce(0) { $0 &* 2 &+ $1 } }
            } reference: { walk in
                var latest: [Int] = []
                let count = max(1, walk.number)
                try walk.each { element in
                    latest = (latest + [element]).suffix(count)
                    if latest.count == count { walk.next(latest.reduce(0) { $0 &* 2 &+ $1 }) }
                }
            }
        }
        Operator(
            "enumerated()", in: "Transforming/Pairwise", for: "number the elements",
            elsewhere: Names(rxSwift: "enumerated", combine: "enumerated (CombineExt)", flow: "withIndex")
        ) {
            law(.lossless) { up in up.source.enumerated().map(\.element) }
            picture("--a--b--|", gives: "--x--y--|", where: ["x": "0a", "y": "1b"]) { up in
                up.letters.enumerated().map { "\($0.index)\($0.element)" }
            }
            fuzz("%0.enumerated().map { $0.index &* 10 &+ $0.element }") { parts in
                parts.up.enumerated().map { $0.index &* 10 &+ $0.element }
            } reference: { walk in
                var index = 0
                try walk.each { element in
                    walk.next(index &* 10 &+ element)
                    index += 1
                }
            }
        }
        Operator(
            "scan(_:accumulator:)", in: "Transforming/Scan", for: "accumulate a state, and emit each one",
            elsewhere: Names(
                rxSwift: "scan", combine: "scan", rxJava: "scan", rxJS: "scan", flow: "runningFold, scan, runningReduce",
                but: [
                    .rxJava: ["scan": "emits the seed first: `scan` and `startWith(_:)` here"],
                    .flow: [
                        "runningFold": "emits the seed first: `scan` and `startWith(_:)` here",
                        "scan": "emits the seed first: `scan` and `startWith(_:)` here",
                        "runningReduce": "has no seed, and emits the first element as it is",
                    ],
                ])
        ) {
            law(.lossless) { up in up.source.scan(up.user.element(0)) { _, element in try up.user(element) } }
            picture("--1--2--3--|", gives: "--1--3--6--|") { up in up.numbers.scan(0, accumulator: +) }
            fuzz(
                "%0.scan(#0) { $0 &* 2 &+ $1 }", 0...9, build: { parts in parts.up.scan(parts.number) { $0 &* 2 &+ $1 } },
                reference: { try $0.scanning() })
            measured(in: "range, map, filter, scan, one element")
        }
        Operator(
            "scan(into:accumulator:)", in: "Transforming/Scan", for: "accumulate a state that is mutated in place",
            elsewhere: Names(rxSwift: "scan(into:)")
        ) {
            law(.lossless) { up in up.source.scan(into: up.user.element(0)) { result, element in result = try up.user(element) } }
            picture("--a--b--a--|", gives: "--1--1--2--|") { up in
                up.letters.scan(into: 0) { count, letter in count += letter == "a" ? 1 : 0 }
            }
            fuzz(
                "%0.scan(into: #0) { $0 = $0 &* 2 &+ $1 }", 0...9,
                build: { parts in parts.up.scan(into: parts.number) { $0 = $0 &* 2 &+ $1 } }, reference: { try $0.scanning() })
        }
        Operator(
            "timestamp(scheduler:)", in: "Transforming/Timestamp", for: "add the time to each element",
            elsewhere: Names(rxJava: "timestamp", rxJS: "timestamp")
        ) {
            law(.lossless) { up in up.source.timestamp(scheduler: up.scheduler).map(\.value) }
            picture("--a--b--|", gives: "--x--y--|", where: ["x": "a2.0", "y": "b5.0"]) { up in
                up.letters.timestamp(scheduler: up.scheduler).map { "\($0.value)\($0.time / .seconds(1))" }
            }
            fuzz("%0.timestamp(scheduler: scheduler).map { $0.value &+ Int($0.time.components.seconds) }") { parts in
                parts.up.timestamp(scheduler: parts.scheduler).map { $0.value &+ Int($0.time.components.seconds) }
            } each: { walk, element in
                walk.next(element &+ walk.now)
            }
        }
        Operator(
            "timeInterval(scheduler:)", in: "Transforming/Timestamp", for: "measure the time between elements",
            elsewhere: Names(
                combine: "measureInterval", rxJava: "timeInterval", rxJS: "timeInterval",
                but: [.combine: ["measureInterval": "emits the interval only"]])
        ) {
            law(.lossless) { up in up.source.timeInterval(scheduler: up.scheduler).map(\.value) }
            picture("--a--b--|", gives: "--x--y--|", where: ["x": "a2.0", "y": "b3.0"]) { up in
                up.letters.timeInterval(scheduler: up.scheduler).map { "\($0.value)\($0.interval / .seconds(1))" }
            }
            fuzz("%0.timeInterval(scheduler: scheduler).map { $0.value &+ Int($0.interval.components.seconds) }") { parts in
                parts.up.timeInterval(scheduler: parts.scheduler).map { $0.value &+ Int($0.interval.components.seconds) }
            } reference: { walk in
                var before = walk.now
                try walk.each { element in
                    walk.next(element &+ (walk.now - before))
                    before = walk.now
                }
            }
        }
        Operator(
            "withUnretained(_:resultSelector:)", "withUnretained(_:)", in: "Transforming/WithUnretained",
            for: "reference an object weakly in a chain",
            elsewhere: Names(rxSwift: "withUnretained")
        ) {
            law([.lossless, .dependsOnTime]) { up in up.source.withUnretained(up.user) { try $0($1) } }
            picture("--1--2--|", gives: "--a--b--|") { up in
                up.numbers.withUnretained(up.scheduler) { _, number in number == 1 ? "a" : "b" }
            }
            fuzz(passing: "%0.withUnretained(scheduler) { $1 }") { parts in parts.up.withUnretained(parts.scheduler) { $1 } }
        }
    }
}

extension Walk {
    func scanning() throws {
        var sum = number
        try each { element in
            sum = sum &* 2 &+ element
            next(sum)
        }
    }
}
