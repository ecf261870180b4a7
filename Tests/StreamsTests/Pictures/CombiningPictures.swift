import Foundation
import StreamsTesting

extension Picture {
    static let combining: [Picture] = [
        Picture("amb", in: "Combining/Amb", "----1--2--|", "--3----4--|", gives: "--3----4--|", heard: "^-!", "^---------!") { up in
            Observable.amb([up.letters, up.others])
        },
        Picture(
            "combineLatest", in: "Combining/CombineLatest", "--1--------2---|", "-----3--4----|", gives: "-----3--4--8---|",
            heard: "^--------------!", "^------------!"
        ) { up in
            Observable.combineLatest(up.numbers, up.otherNumbers) { $0 * $1 }
        },
        Picture("concat", in: "Combining/Concat", "--1--|", "---2---3--|", gives: "--1----3--|", heard: "^----!", "-----^----!") { up in
            Observable.concat(up.letters, up.others)
        },
        Picture("startWith", in: "Combining/Concat", "-----1--2--|", gives: "(89)-1--2--|", heard: "^----------!") { up in
            up.numbers.startWith(8, 9)
        },
        Picture("endWith", in: "Combining/Concat", "--1--2--|", gives: "--1--2--(89|)", heard: "^-------!") { up in up.numbers.endWith(8, 9)
        },
        Picture("ifEmpty(default:)", in: "Combining/IfEmpty", "-------|", gives: "-------(p|)", heard: "^------!") { up in
            up.letters.ifEmpty(default: "p")
        },
        Picture("ifEmpty(switchTo:)", in: "Combining/IfEmpty", "--|", "-a--b--|", gives: "----b--|", heard: "^-!", "--^----!") { up in
            up.letters.ifEmpty(switchTo: up.others)
        },
        Picture(
            "merge", in: "Combining/Merge", "--1-----3--|", "-----2---------4--|", gives: "--1--2--3------4--|", heard: "^----------!",
            "^-----------------!"
        ) { up in
            Observable.merge(up.letters, up.others)
        },
        Picture("merge(maxConcurrent:overflow:)", in: "Combining/Merge", "-abc--------|", gives: "----a--c----|", heard: "^-----------!") {
            up in
            up.letters.map(up.loading).merge(maxConcurrent: 1, overflow: .latest)
        },
        Picture("concat of inner streams", in: "Combining/Merge", "-a-b--------|", gives: "----a--b----|", heard: "^-----------!") { up in
            up.letters.map(up.loading).concat()
        },
        Picture("switchLatest", in: "Combining/Merge", "-a-b--------|", gives: "------b-----|", heard: "^-----------!") { up in
            up.letters.map(up.loading).switchLatest()
        },
        Picture(
            "sequenceEqual", in: "Combining/SequenceEqual", "--1--2-----|", "-----1---3--|", gives: "---------(f|)", where: ["f": "false"],
            heard: "^--------!", "^--------!"
        ) { up in up.letters.sequenceEqual(up.others) },
        Picture(
            "withLatestFrom", in: "Combining/WithLatestFrom", "--1-----2--3--|", "-----3-----------", gives: "--------6--9--|",
            heard: "^-------------!", "^-------------!"
        ) { up in
            up.numbers.withLatestFrom(up.otherNumbers) { $0 * $1 }
        },
        Picture(
            "zip", in: "Combining/Zip", "--1--2--------3--|", "-------4--5-|", gives: "-------4--x-|", where: ["x": "10"],
            heard: "^-----------!", "^-----------!"
        ) { up in
            Observable.zip(up.numbers, up.otherNumbers) { $0 * $1 }
        },
        Picture(
            "combineLatest of tuples", in: "Combining/CombineLatestTuples", "--a-----------b--|", "-----1-----2-----|",
            gives: "-----x-----y--z--|",
            where: ["x": "a1", "y": "a2", "z": "b2"], heard: "^----------------!", "^----------------!"
        ) { up in Observable.combineLatest(up.letters, up.otherNumbers).map { letter, number in "\(letter)\(number)" } },
        Picture(
            "zip of tuples", in: "Combining/ZipTuples", "--a-----b--------c--|", "-----1-----2-----|", gives: "-----x-----y-----|",
            where: ["x": "a1", "y": "b2"], heard: "^----------------!", "^----------------!"
        ) { up in Observable.zip(up.letters, up.otherNumbers).map { letter, number in "\(letter)\(number)" } },
    ]
}
