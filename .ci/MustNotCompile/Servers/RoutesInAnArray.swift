// Routes are given as an array.
// error: cannot pass array of type '[LoopbackServer.Route]' as variadic arguments of type 'LoopbackServer.Route'
import LoopbackServer

private func example(_ routes: [LoopbackServer.Route]) {
    #if MISTAKE
        _ = LoopbackServer(routes)
    #else
        LoopbackServer().addRoutes(routes)
    #endif
}
