// error: static member 'emit' cannot be used on instance of type 'Observer<Int>'
import Streams

func receive(_ observer: Observer<Int>) {
    observer.emit(data: 1)
}
