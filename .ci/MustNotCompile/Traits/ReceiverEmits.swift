// A receiver of a context emits.
// error: static member 'emit' cannot be used on instance of type 'Observer<Int>'
import Streams

#if MISTAKE
    private func answer(_ observer: Observer<Int>) {
        observer.emit(data: 1)  // <-
    }
#else
    private func answer(_ context: Context<Int>) {
        context.emit(data: 1)
    }
#endif
