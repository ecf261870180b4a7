// Nothing holds the subscription, so nothing can end it.
// warning: result of call to 'subscribe(onNext:onError:onCompleted:onDisposed:)' is unused
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.subscribe(onNext: { number in print(number) })
    #else
        numbers.subscribe(onNext: { number in print(number) }).disposed(by: bag)
    #endif
}
