// Routes are given as an array.
// error: cannot pass array of type '[ServerRoute]' as variadic arguments of type 'ServerRoute'
import LoopbackServer

private func example(_ routes: [ServerRoute]) {
    #if MISTAKE
        _ = LoopbackServer(routes)
    #else
        LoopbackServer().addRoutes(routes)
    #endif
}
