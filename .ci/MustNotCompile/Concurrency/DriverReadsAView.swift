// A view is read in an operator of a driver.
// error: main actor-isolated property 'text' can not be referenced from a Sendable closure
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func example(_ names: Driver<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.map { name in label.text + name }.drive(label.rx.text).disposed(by: bag)
    #else
        names.drive(onNext: { name in label.text += name }).disposed(by: bag)
    #endif
}
