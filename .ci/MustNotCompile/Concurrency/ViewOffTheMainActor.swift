// A view is changed in a closure that runs where the stream emits.
// error: main actor-isolated property 'text' can not be mutated from a Sendable closure
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func example(_ names: Observable<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.subscribe(onNext: { name in label.text = name }).disposed(by: bag)
    #else
        names.bind(onNext: { name in label.text = name }).disposed(by: bag)
    #endif
}
