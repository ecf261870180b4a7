// A main-actor function is called in an operator.
// error: call to main actor-isolated global function 'title(of:)' in a synchronous nonisolated context
import Streams

@MainActor private final class Label: ReactiveCompatible {
    var text = ""
}

@MainActor private func title(of name: String) -> String { name }

@MainActor private func example(_ names: Observable<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.map { name in title(of: name) }.bind(to: label.rx.text).disposed(by: bag)
    #else
        names.bind(onNext: { name in label.text = title(of: name) }).disposed(by: bag)
    #endif
}
