// error: cannot form key path to main actor-isolated property 'text'
import Streams

@MainActor final class Label: ReactiveCompatible {
    var text = ""
}

func bind(_ name: Observer<String>, to label: Label) {
    name.bind(to: label.rx.text)
}
