// A local variable collects what was emitted.
// error: mutation of captured var 'sum' in concurrently-executing code
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        var sum = 0
        numbers.subscribe(onNext: { number in sum += number }).disposed(by: bag)  // <-
    #else
        numbers.scan(0) { sum, number in sum + number }.subscribe(onNext: { sum in print(sum) }).disposed(by: bag)
    #endif
}
