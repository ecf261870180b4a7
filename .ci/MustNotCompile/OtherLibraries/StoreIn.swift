// Combine: store(in:)
// error: 'store(in:)' has been renamed to 'disposed(by:)'
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        var all: [any Disposable] = []
        numbers.subscribe(onNext: { print($0) }).store(in: &all)  // <-
    #else
        let bag = DisposeBag()
        numbers.subscribe(onNext: { print($0) }).disposed(by: bag)
    #endif
}
