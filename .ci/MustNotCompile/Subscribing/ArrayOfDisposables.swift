// Disposables are collected in an array.
// error: cannot convert value of type '[any Disposable]' to expected argument type 'DisposeBag'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        let disposables: [any Disposable] = []
        numbers.subscribe(onNext: { number in print(number) }).disposed(by: disposables)  // <-
    #else
        let bag = DisposeBag()
        numbers.subscribe(onNext: { number in print(number) }).disposed(by: bag)
    #endif
}
