// error: static member 'emit' cannot be used on instance of type 'Observer<_>'
import Streams

func emitIntoAResult(_ context: Context<Int>) {
    context.map { $0 + 1 }.emit(data: 1)
}
