import Foundation
import StreamsTesting

extension Picture {
    static let filtering: [Picture] = [
        Picture("filter", in: "Filtering/Filter", "--1--2--3--4--|", gives: "-----2-----4--|", heard: "^-------------!") { up in
            up.numbers.filter { $0.isMultiple(of: 2) }
        },
        Picture("ignoreElements", in: "Filtering/IgnoreElements", "--1--2--|", gives: "--------|", heard: "^-------!") { up in
            up.numbers.ignoreElements()
        },
        Picture(
            "distinctUntilChanged(_:)", in: "Filtering/DistinctUntilChanged", "--1--2--3--5--|", gives: "--1--2-----5--|",
            heard: "^-------------!"
        ) { up in
            up.numbers.distinctUntilChanged { $0 / 2 }
        },
        Picture(
            "distinctUntilChanged(by:)", in: "Filtering/DistinctUntilChanged", "--1--3--2--4--|", gives: "--1--3-----4--|",
            heard: "^-------------!"
        ) { up in
            up.numbers.distinctUntilChanged(by: { $0 >= $1 })
        },
        Picture(
            "distinctUntilChanged", in: "Filtering/DistinctUntilChanged", "--1--1--2--1--|", gives: "--1-----2--1--|",
            heard: "^-------------!"
        ) { up in
            up.numbers.distinctUntilChanged()
        },
        Picture("distinct(_:)", in: "Filtering/Distinct", "--1--2--4--3--|", gives: "--1--2-----3--|", heard: "^-------------!") { up in
            up.numbers.distinct { $0 % 3 }
        },
        Picture("distinct", in: "Filtering/Distinct", "--1--2--1--3--1--|", gives: "--1--2-----3--1--|", heard: "^----------------!") {
            up in up.numbers.distinct(capacity: 2)
        },
        Picture("element(at:)", in: "Filtering/Elements", "--1--2--3--|", gives: "-----(2|)", heard: "^----!") { up in
            up.numbers.element(at: 1)
        },
        Picture("first", in: "Filtering/Elements", "--1--2--|", gives: "--(1|)", heard: "^-!") { up in up.numbers.first() as Observable<Int>
        },
        Picture("last", in: "Filtering/Elements", "--1--2--|", gives: "--------(2|)", heard: "^-------!") { up in
            up.numbers.last() as Observable<Int>
        },
        Picture("single", in: "Filtering/Elements", "--1--2--|", gives: "--1--#", failing: StreamError.moreThanOneElement, heard: "^----!")
        { up in up.numbers.single() },
        Picture(
            "pausable", in: "Filtering/Pausable", "--1--2--3--4--|", "---t-----f-------", gives: "-----2--3-----|",
            heard: "^-------------!", "^-------------!"
        ) { up in
            up.numbers.pausable(up.others.map { $0 == "t" })
        },
        Picture("partition", in: "Filtering/Pausable", "--1--2--3--4--|", gives: "-----2-----4--|", heard: "^-------------!") { up in
            up.numbers.partition { $0.isMultiple(of: 2) }.matches
        },
        Picture(
            "sample", in: "Filtering/Sample", "--1--2--3-----|", "------x----x-----x|", gives: "------2----3-----|",
            heard: "^-------------!", "^----------------!"
        ) { up in
            up.numbers.sample(up.others)
        },
        Picture("sample(_:scheduler:)", in: "Filtering/Sample", "--1--2--3-----|", gives: "----1---3-------|", heard: "^-------------!") {
            up in
            up.numbers.sample(.seconds(4), scheduler: up.scheduler)
        },
        Picture("skip", in: "Filtering/Skip", "--1--2--3--|", gives: "--------3--|", heard: "^----------!") { up in up.numbers.skip(2) },
        Picture("skip(while:)", in: "Filtering/SkipWhile", "--1--2--3--1--|", gives: "--------3--1--|", heard: "^-------------!") { up in
            up.numbers.skip(while: { $0 < 3 })
        },
        Picture(
            "skip(until:)", in: "Filtering/SkipWhile", "--1--2--3--4--|", "-------x------", gives: "--------3--4--|",
            heard: "^-------------!", "^------!"
        ) { up in
            up.numbers.skip(until: up.others)
        },
        Picture("skipLast", in: "Filtering/SkipWhile", "--1--2--3--4--|", gives: "--------1--2--|", heard: "^-------------!") { up in
            up.numbers.skipLast(2)
        },
        Picture("take", in: "Filtering/Take", "--1--2--3--|", gives: "--1--(2|)", heard: "^----!") { up in up.numbers.take(2) },
    ]

    static let filtering2: [Picture] = [
        Picture("take(for:)", in: "Filtering/TakeFor", "--1--2--3--|", gives: "--1--2-|", heard: "^------!") { up in
            up.numbers.take(for: .seconds(7), scheduler: up.scheduler)
        },
        Picture("skip(for:)", in: "Filtering/TakeFor", "--1--2--3--|", gives: "-----2--3--|", heard: "^----------!") { up in
            up.numbers.skip(for: .seconds(4), scheduler: up.scheduler)
        },
        Picture("takeLast", in: "Filtering/TakeLast", "--1--2--3--|", gives: "-----------(23|)", heard: "^----------!") { up in
            up.numbers.takeLast(2)
        },
        Picture("takeLast(for:)", in: "Filtering/TakeLast", "--1--2--3-|", gives: "----------(23|)", heard: "^---------!") { up in
            up.numbers.takeLast(for: .seconds(5), scheduler: up.scheduler)
        },
        Picture(
            "take(until:)", in: "Filtering/TakeUntil", "--1--2--3--4--|", "-------x------", gives: "--1--2-|", heard: "^------!", "^------!"
        ) { up in
            up.numbers.take(until: up.others)
        },
        Picture("take(while:)", in: "Filtering/TakeWhile", "--1--2--3--1--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.take(while: { $0 < 3 })
        },
        Picture("validate", in: "Filtering/Validate", "--1--2--3--|", gives: "--1--2--#", heard: "^-------!") { up in
            up.numbers.validate { number in
                guard number < 3 else { throw TestError.failed }
            }
        },
        Picture("unwrap(orThrow:)", in: "Filtering/Validate", "--1--x--3--|", gives: "--1--#", heard: "^----!") { up in
            up.letters.map { Int($0) }.unwrap(orThrow: TestError.failed)
        },
        Picture("replaceNil", in: "Filtering/Validate", "--1--x--3--|", gives: "--1--0--3--|", heard: "^----------!") { up in
            up.letters.map { Int($0) }.replaceNil(with: 0)
        },
        Picture("audit", in: "Filtering/Sample", "-1-2-3----4---|", gives: "----2---3----4|", heard: "^-------------!") { up in
            up.numbers.audit(.seconds(3), scheduler: up.scheduler)
        },
    ]
}
