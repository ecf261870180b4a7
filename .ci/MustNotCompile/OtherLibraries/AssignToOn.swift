// Combine: assign(to:on:)
// error: 'assign(to:on:)' is unavailable: use bind(to: object.rx.property), for which the object's class conforms to ReactiveCompatible
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func example(_ names: Observable<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.assign(to: \.text, on: label).disposed(by: bag)
    #else
        names.bind(to: label.rx.text).disposed(by: bag)
    #endif
}
