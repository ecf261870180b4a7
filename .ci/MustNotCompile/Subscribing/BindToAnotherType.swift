// Numbers are bound to a text.
// error: 'bind(to:)' is unavailable: the observer takes elements of another type: map this stream to that type first
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func example(_ numbers: Observable<Int>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.bind(to: label.rx.text).disposed(by: bag)
    #else
        numbers.map { number in "\(number)" }.bind(to: label.rx.text).disposed(by: bag)
    #endif
}
