// Combine: sink with a completion
// error: 'sink(receiveCompletion:receiveValue:)' is unavailable: use subscribe(onNext:onError:onCompleted:)
import Streams

private func example(_ numbers: Observable<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.sink(receiveCompletion: { _ in }, receiveValue: { print($0) }).disposed(by: bag)
    #else
        numbers.subscribe(onNext: { print($0) }, onError: { _ in }, onCompleted: {}).disposed(by: bag)
    #endif
}
