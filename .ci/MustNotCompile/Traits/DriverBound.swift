// A driver is bound.
// error: 'bind(to:)' has been renamed to 'drive(_:)'
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func example(_ names: Driver<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.bind(to: label.rx.text).disposed(by: bag)
    #else
        names.drive(label.rx.text).disposed(by: bag)
    #endif
}
