import Foundation
import StreamsTesting

extension Picture {
    static let aggregating: [Picture] = [
        Picture("reduce", in: "Aggregating/Reduce", "--1--2--3--|", gives: "-----------(6|)", heard: "^----------!") { up in
            up.numbers.reduce(0, accumulator: +)
        },
        Picture("toArray", in: "Aggregating/Reduce", "--1--2--|", gives: "--------(a|)", where: ["a": "[1, 2]"], heard: "^-------!") { up in
            up.numbers.toArray()
        },
        Picture("toSet", in: "Aggregating/Collections", "--1--2--1--|", gives: "-----------(2|)", heard: "^----------!") { up in
            up.numbers.toSet().map(\.count)
        },
        Picture(
            "toDictionary", in: "Aggregating/Collections", "--1--2--3--|", gives: "-----------(x|)", where: ["x": "30"],
            heard: "^----------!"
        ) { up in
            up.numbers.toDictionary(keySelector: { $0 % 2 }, valueSelector: { $0 * 10 }).map { $0[1] ?? 0 }
        },
        Picture(
            "sorted(by:)", in: "Aggregating/Collections", "--1--3--2--|", gives: "-----------(a|)", where: ["a": "[3, 2, 1]"],
            heard: "^----------!"
        ) { up in
            up.numbers.sorted(by: >)
        },
        Picture("count", in: "Aggregating/Numbers", "--a--b--|", gives: "--------(2|)", heard: "^-------!") { up in up.letters.count() },
        Picture("min(by:)", in: "Aggregating/Numbers", "--1--3--2--|", gives: "-----------(3|)", heard: "^----------!") { up in
            up.numbers.min { $0 % 3 < $1 % 3 }
        },
        Picture("max(by:)", in: "Aggregating/Numbers", "--1--3--2--|", gives: "-----------(2|)", heard: "^----------!") { up in
            up.numbers.max { $0 % 3 < $1 % 3 }
        },
        Picture("sum", in: "Aggregating/Numbers", "--1--2--|", gives: "--------(3|)", heard: "^-------!") { up in up.numbers.sum() },
        Picture("average", in: "Aggregating/Numbers", "--1--2--|", gives: "--------(x|)", where: ["x": "1.5"], heard: "^-------!") { up in
            up.numbers.average()
        },
        Picture("all", in: "Aggregating/Predicates", "--1--2--3--4--|", gives: "--------(f|)", where: ["f": "false"], heard: "^-------!") {
            up in up.numbers.all { $0 < 3 }
        },
        Picture("any", in: "Aggregating/Predicates", "--1--2--3--|", gives: "-----(t|)", where: ["t": "true"], heard: "^----!") { up in
            up.numbers.any { $0 > 1 }
        },
        Picture("isEmpty", in: "Aggregating/Predicates", "--1--2--|", gives: "--(f|)", where: ["f": "false"], heard: "^-!") { up in
            up.numbers.isEmpty()
        },
        Picture("contains", in: "Aggregating/Predicates", "--1--2--3--|", gives: "-----(t|)", where: ["t": "true"], heard: "^----!") { up in
            up.numbers.contains(2)
        },
    ]
}
