import Foundation
import StreamsTesting

extension Picture {
    static let transforming: [Picture] = [
        Picture("map", in: "Transforming/Map", "--1--2--3--|", gives: "--2--4--6--|", heard: "^----------!") { up in
            up.numbers.map { $0 * 2 }
        },
        Picture("compactMap", in: "Transforming/CompactMap", "--1--x--3--|", gives: "--1-----3--|", heard: "^----------!") { up in
            up.letters.compactMap(Int.init)
        },
        Picture("mapTo", in: "Transforming/CompactMap", "--1--2--|", gives: "--x--x--|", heard: "^-------!") { up in up.numbers.mapTo("x")
        },
        Picture("unwrap", in: "Transforming/CompactMap", "--1--x--3--|", gives: "--1-----3--|", heard: "^----------!") { up in
            up.letters.map { Int($0) }.unwrap()
        },
        Picture("cast", in: "Transforming/Cast", "--a--b--|", gives: "--a--b--|", heard: "^-------!") { up in
            up.letters.map { $0 as any Sendable }.cast(to: String.self)
        },
        Picture("ofType", in: "Transforming/Cast", "--a--1--b--|", gives: "--a-----b--|", heard: "^----------!") { up in
            up.letters.map { text -> any Sendable in Int(text) ?? text }.ofType(String.self)
        },
        Picture("concatMapEager", in: "Transforming/ConcatMapEager", "-a-b--------|", gives: "----a-b-----|", heard: "^-----------!") {
            up in up.letters.concatMapEager(up.loading)
        },
        Picture("decode", in: "Transforming/Decode", "--d--|", gives: "--r--|", heard: "^----!") { up in
            up.letters.map { _ in Data(#"["r"]"#.utf8) }.decode(as: [String].self).map { $0[0] }
        },
        Picture("expand", in: "Transforming/Expand", cold: "(1|)", gives: "(1234|)", heard: nil) { up in
            up.numbers.expand { $0 < 4 ? .just($0 + 1) : .empty() }
        },
        Picture("flatMap", in: "Transforming/FlatMap", "-a-b--------|", gives: "----a-b-----|", heard: "^-----------!") { up in
            up.letters.flatMap(up.loading)
        },
        Picture("concatMap", in: "Transforming/FlatMap", "-a-b--------|", gives: "----a--b----|", heard: "^-----------!") { up in
            up.letters.concatMap(up.loading)
        },
        Picture("flatMapOutcome", in: "Transforming/FlatMapOutcome", "--1--2--|", gives: "--(1|)", heard: "^-!") { up in
            up.numbers.flatMapOutcome { .just(try $0.get()) }
        },
        Picture("flatMapFirst", in: "Transforming/FlatMapFirst", "-a-b---c-----|", gives: "----a-----c--|", heard: "^------------!") { up in
            up.letters.flatMapFirst(up.loading)
        },
        Picture("flatMapIterable", in: "Transforming/FlatMapIterable", "-a----b----|", gives: "-(12)-3----|", heard: "^----------!") { up in
            up.letters.flatMapIterable { $0 == "a" ? [1, 2] : [3] }
        },
        Picture("flatMapLatest", in: "Transforming/FlatMapLatest", "-a-b--------|", gives: "------b-----|", heard: "^-----------!") { up in
            up.letters.flatMapLatest(up.loading)
        },
        Picture(
            "groupBy", in: "Transforming/GroupBy", "-1-2-3---|", gives: "---------(ab|)", where: ["a": "[1, 3]", "b": "[2]"],
            heard: "^--------!"
        ) { up in up.numbers.groupBy { $0 % 2 }.flatMap { group in group.toArray() } },
        Picture(
            "materialize", in: "Transforming/Materialize", "--1--#", gives: "--a--(b|)", where: ["a": "next(1)", "b": "error(failed)"],
            heard: "^----!"
        ) { up in up.numbers.materialize() },
        Picture("dematerialize", in: "Transforming/Materialize", "--a--x--b--|", gives: "--a--|", heard: "^----!") { up in
            up.letters.map { $0 == "x" ? Event<String>.completed : .next($0) }.dematerialize()
        },
        Picture("elements", in: "Transforming/Materialize", "--1--2--#", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.materialize().elements()
        },
        Picture("errors", in: "Transforming/Materialize", "--1--2--#", gives: "--------(e|)", where: ["e": "failed"], heard: "^-------!") {
            up in
            up.numbers.materialize().errors()
        },
        Picture("pairwise", in: "Transforming/Pairwise", "--1--2--4--|", gives: "-----1--2--|", heard: "^----------!") { up in
            up.numbers.pairwise().map { $1 - $0 }
        },
    ]

    static let transforming2: [Picture] = [
        Picture(
            "nwise", in: "Transforming/Pairwise", "-1-2-3-4-|", gives: "-----a-b-|", where: ["a": "[1, 2, 3]", "b": "[2, 3, 4]"],
            heard: "^--------!"
        ) { up in
            up.numbers.nwise(3)
        },
        Picture(
            "enumerated", in: "Transforming/Pairwise", "--a--b--|", gives: "--x--y--|", where: ["x": "0a", "y": "1b"], heard: "^-------!"
        ) { up in
            up.letters.enumerated().map { "\($0.index)\($0.element)" }
        },
        Picture("scan", in: "Transforming/Scan", "--1--2--3--|", gives: "--1--3--6--|", heard: "^----------!") { up in
            up.numbers.scan(0, accumulator: +)
        },
        Picture(
            "buffer(timeSpan:count:)", in: "Transforming/Buffer", "-1-2-3------|", gives: "---a---b---c(d|)",
            where: ["a": "[1, 2]", "b": "[3]", "c": "[]", "d": "[]"], heard: "^-----------!"
        ) { up in up.numbers.buffer(timeSpan: .seconds(4), count: 2, scheduler: up.scheduler) },
        Picture(
            "buffer(boundary:)", in: "Transforming/Buffer", "-1-2-3----|", "----x---x--", gives: "----a---b-(c|)",
            where: ["a": "[1, 2]", "b": "[3]", "c": "[]"], heard: "^---------!", "^---------!"
        ) { up in up.numbers.buffer(boundary: up.others) },
        Picture(
            "buffer(count:skip:)", in: "Transforming/Buffer", "-1-2-3-|", gives: "---a---(b|)", where: ["a": "[1, 2]", "b": "[3]"],
            heard: "^------!"
        ) { up in
            up.numbers.buffer(count: 2)
        },
        Picture(
            "timestamp", in: "Transforming/Timestamp", "--a--b--|", gives: "--x--y--|", where: ["x": "a2.0", "y": "b5.0"],
            heard: "^-------!"
        ) { up in
            up.letters.timestamp(scheduler: up.scheduler).map { "\($0.value)\($0.time / .seconds(1))" }
        },
        Picture(
            "timeInterval", in: "Transforming/Timestamp", "--a--b--|", gives: "--x--y--|", where: ["x": "a2.0", "y": "b3.0"],
            heard: "^-------!"
        ) { up in
            up.letters.timeInterval(scheduler: up.scheduler).map { "\($0.value)\($0.interval / .seconds(1))" }
        },
        Picture("window(timeSpan:count:)", in: "Transforming/Window", "-1-2-3----|", gives: "----2---1-(0|)", heard: "^---------!") { up in
            up.numbers.window(timeSpan: .seconds(4), scheduler: up.scheduler).flatMap { $0.count() }
        },
        Picture(
            "window(boundary:)", in: "Transforming/Window", "-1-2-3----|", "----x-----|", gives: "----2-----(1|)", heard: "^---------!",
            "^---------!"
        ) { up in
            up.numbers.window(boundary: up.others).flatMap { $0.count() }
        },
        Picture(
            "window(count:skip:)", in: "Transforming/Window", "-1-2-3-|", gives: "---a---(b|)", where: ["a": "[1, 2]", "b": "[3]"],
            heard: "^------!"
        ) { up in
            up.numbers.window(count: 2).flatMap { $0.toArray() }
        },
        Picture("withUnretained", in: "Transforming/WithUnretained", "--1--2--|", gives: "--a--b--|", heard: "^-------!") { up in
            up.numbers.withUnretained(up.scheduler) { _, number in number == 1 ? "a" : "b" }
        },
        Picture("scan(into:)", in: "Transforming/Scan", "--a--b--a--|", gives: "--1--1--2--|", heard: "^----------!") { up in
            up.letters.scan(into: 0) { count, letter in count += letter == "a" ? 1 : 0 }
        },
    ]
}
