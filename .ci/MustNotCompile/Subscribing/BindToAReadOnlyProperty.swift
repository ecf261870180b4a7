// The property of a view cannot be set.
// error: cannot assign to property: 'rx' is a get-only property
import Streams

@MainActor private final class Label: ReactiveCompatible {
    private(set) var text = ""

    func show(_ text: String) { self.text = text }
}

@MainActor private func example(_ names: Observable<String>, _ label: Label, _ bag: DisposeBag) {
    #if MISTAKE
        names.bind(to: label.rx.text).disposed(by: bag)
    #else
        names.bind(with: label) { label, name in label.show(name) }.disposed(by: bag)
    #endif
}
