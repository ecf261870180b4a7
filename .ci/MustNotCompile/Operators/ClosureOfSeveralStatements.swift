// A closure of several statements is followed by a closure without a type.
// error: type 'Any' does not conform to the 'Sendable' protocol
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.map { number in let next = number + 1; return next }.bind { print($0) }.disposed(by: bag)
    #else
        numbers.map { number -> Int in let next = number + 1; return next }.bind { print($0) }.disposed(by: bag)
    #endif
}
