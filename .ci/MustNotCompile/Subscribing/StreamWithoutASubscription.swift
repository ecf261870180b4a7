// Nobody subscribes: nothing happens.
// warning: result of call to 'do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)' is unused
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.do(onNext: { number in print(number) })
    #else
        numbers.do(onNext: { number in print(number) }).subscribe().disposed(by: bag)
    #endif
}
