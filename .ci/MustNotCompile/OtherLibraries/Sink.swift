// Combine: sink
// error: 'sink(receiveValue:)' has been renamed to 'subscribe(onNext:)'
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.sink { number in print(number) }.disposed(by: bag)
    #else
        numbers.subscribe(onNext: { number in print(number) }).disposed(by: bag)
    #endif
}
