// error: main actor-isolated property 'text' can not be mutated from a Sendable closure
import Streams

@MainActor final class Label {
    var text = ""
}

@MainActor func show(_ users: Observer<String>, on label: Label) {
    users.onCompleted { name in label.text = name }
}
