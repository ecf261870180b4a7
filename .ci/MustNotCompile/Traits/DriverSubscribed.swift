// A driver is subscribed to.
// error: 'subscribe(onNext:onCompleted:onDisposed:)' has been renamed to 'drive(onNext:onCompleted:onDisposed:)'
import Streams

private func example(_ names: Driver<String>, _ bag: DisposeBag) {
    #if MISTAKE
        names.subscribe(onNext: { name in print(name) }).disposed(by: bag)
    #else
        names.drive(onNext: { name in print(name) }).disposed(by: bag)
    #endif
}
