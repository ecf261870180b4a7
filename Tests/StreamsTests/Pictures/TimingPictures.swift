import Foundation
import StreamsTesting

extension Picture {
    static let timing: [Picture] = [
        Picture("debounce", in: "Timing/Debounce", "-ab---c---d|", gives: "----b---c--(d|)", heard: "^----------!") { up in
            up.letters.debounce(.seconds(2), scheduler: up.scheduler)
        },
        Picture("throttle", in: "Timing/Throttle", "-abc-----d|", gives: "-a--c----d|", heard: "^---------!") { up in
            up.letters.throttle(.seconds(3), scheduler: up.scheduler)
        },
        Picture("delay", in: "Timing/Delay", "--1--2--|", gives: "----1--2--|", heard: "^-------!") { up in
            up.numbers.delay(.seconds(2), scheduler: up.scheduler)
        },
        Picture("delaySubscription", in: "Timing/Delay", "--1--2--|", gives: "-----2--|", heard: "---^----!") { up in
            up.numbers.delaySubscription(.seconds(3), scheduler: up.scheduler)
        },
        Picture(
            "timeout", in: "Timing/Timeout", "--1--------2--|", gives: "--1---#", failing: StreamError.timeout(after: .seconds(4)),
            heard: "^-----!"
        ) { up in
            up.numbers.timeout(.seconds(4), scheduler: up.scheduler)
        },
        Picture("timeout(_:other:)", in: "Timing/Timeout", "--1--------2--|", gives: "--1---(0|)", heard: "^-----!") { up in
            up.numbers.timeout(.seconds(4), other: Observable.just(0), scheduler: up.scheduler)
        },
    ]
}
