import Foundation
import StreamsTesting

extension Picture {
    static let utility: [Picture] = [
        Picture("debug", in: "Utility/Debug", "--1--|", gives: "--1--|", heard: "^----!") { up in up.numbers.debug("numbers") { _ in } },
        Picture("do", in: "Utility/Do", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.do(onNext: { _ in }, onDispose: {})
        },
        Picture("observe(on:)", in: "Utility/ObserveOn", "--1--2--#", gives: "--1--2--#", heard: "^-------!") { up in
            up.numbers.observe(on: up.scheduler)
        },
        Picture("observe(on:overflow:)", in: "Utility/ObserveOnOverflow", "-1-2-3-|", gives: "-1-2-3-|", heard: "^------!") { up in
            up.numbers.observe(on: up.scheduler, overflow: .latest)
        },
        Picture("subscribe(on:)", in: "Utility/ObserveOn", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.subscribe(on: up.scheduler)
        },
        Picture("serialize", in: "Utility/Serialize", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in up.numbers.serialize() },
        Picture("apply", in: "Utility/Serialize", "--1--2--3--4--|", gives: "-----2--(3|)", heard: "^-------!") { up in
            up.numbers.apply { stream in stream.filter { $0 > 1 }.take(2) }
        },
        Picture("trace", in: "Utility/Trace", "--1--#", gives: "--1--#", heard: "^----!") { up in up.numbers.trace("numbers") },
    ]
}
