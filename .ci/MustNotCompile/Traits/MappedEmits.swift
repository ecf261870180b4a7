// A result of an operator emits.
// error: static member 'emit' cannot be used on instance of type 'Observer<_>'
import Streams

private func example(_ context: Context<Int>) {
    #if MISTAKE
        context.map { number in number + 1 }.emit(data: 1)
    #else
        context.emit(data: 1).map { number in number + 1 }.process { _ in }
    #endif
}
