// An operator follows subscribe.
// error: value of type 'any Disposable' has no member 'filter'
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        _ = numbers.subscribe(onNext: { number in print(number) }).filter { number in number > 1 }
    #else
        _ = numbers.filter { number in number > 1 }.subscribe(onNext: { number in print(number) })
    #endif
}
