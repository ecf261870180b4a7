import Foundation
import StreamsTesting

extension Picture {
    static let creation: [Picture] = [
        Picture("create", in: "Creation/Create", gives: "--(a|)") { up in
            Observable<String>.create { observer in
                up.scheduler.schedule(after: .seconds(2)) {
                    observer.onNext("a")
                    observer.onCompleted()
                }
            }
        },
        Picture("deferred", in: "Creation/Create", gives: "(d|)") { _ in Observable.deferred { .just("d") } },
        Picture("fromCallable", in: "Creation/Create", gives: "(t|)") { _ in Observable.fromCallable { "t" } },
        Picture("using", in: "Creation/Create", "--a--b--|", gives: "--a--b--|", heard: "^-------!") { up in
            Observable.using({ BooleanDisposable() }, observableFactory: { _ in up.letters })
        },
        Picture("from", in: "Creation/From", gives: "(123|)") { _ in Observable.from([1, 2, 3]) },
        Picture("of", in: "Creation/From", gives: "(ab|)") { _ in Observable.of("a", "b") },
        Picture("from(optional:)", in: "Creation/From", gives: "(7|)") { _ in Observable.from(optional: Int("7")) },
        Picture("range", in: "Creation/From", gives: "(345|)") { _ in Observable.range(start: 3, count: 3) },
        Picture("interval", in: "Creation/Interval", gives: "--0-1-(2|)") { up in
            Observable<Int>.interval(.seconds(2), scheduler: up.scheduler).take(3)
        },
        Picture("timer", in: "Creation/Interval", gives: "---(0|)") { up in Observable<Int>.timer(.seconds(3), scheduler: up.scheduler) },
        Picture("intervalRange", in: "Creation/Interval", gives: "-5-6-(7|)") { up in
            Observable.intervalRange(start: 5, count: 3, initialDelay: .seconds(1), period: .seconds(2), scheduler: up.scheduler)
        },
        Picture("just", in: "Creation/Just", gives: "(1|)") { _ in Observable.just(1) },
        Picture("empty", in: "Creation/Just", gives: "|") { _ in Observable<Int>.empty() },
        Picture("error", in: "Creation/Just", gives: "#") { _ in Observable<Int>.error(TestError.failed) },
        Picture("repeatElement", in: "Creation/Repeat", gives: "(aaa|)") { _ in Observable.repeatElement("a").take(3) },
        Picture("generate", in: "Creation/Repeat", gives: "(1248|)") { _ in
            Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
        },
        Picture("repeat", in: "Creation/Repeat", cold: "--1|", gives: "--1--1|", heard: "^--! ---^--!") { up in up.letters.repeat(count: 2)
        },
    ]
}
