// Combine: sink, of a driver
// error: 'sink(receiveValue:)' has been renamed to 'drive(onNext:)'
import Streams

@MainActor private func example(_ names: Driver<String>, _ bag: DisposeBag) {
    #if MISTAKE
        names.sink { name in print(name) }.disposed(by: bag)
    #else
        names.drive(onNext: { name in print(name) }).disposed(by: bag)
    #endif
}
