import StreamsTesting

extension Operator {
    /// Nodes as operators.
    static let nodes = operators {
        Operator("through(_:)", in: "Nodes/Through", for: "process each element with a node") {
            law(.lossless) { up in up.source.through(AnyNode { element in .fromCallable { try up.user(element) } }) }
            law(.dependsOnTime, as: "latest") { up in up.source.through(AnyNode { _ in up.other }, .latest) }
            picture("-a-b--------|", gives: "------b-----|") { up in up.letters.through(AnyNode(up.loading), .latest) }
            fuzz(
                "%0.through(AnyNode { x in @ }, .merge(max: #0))", 1...3,
                build: { $0.up.through(AnyNode($0.body), .merge(max: $0.number)) }, reference: { try $0.flattening(atOnce: $0.number) })
        }
        Operator(
            "trackActivity(_:)", in: "Nodes/LoadIndicator", for: "count the operations in progress, for an indicator",
            elsewhere: Names(rxSwift: "trackActivity (RxSwift example)")
        ) {
            law(.lossless) { up in up.source.trackActivity(LoadIndicator()) }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.trackActivity(LoadIndicator()) }
            fuzz(passing: "%0.trackActivity(LoadIndicator())") { parts in parts.up.trackActivity(LoadIndicator()) }
        }
        Operator("abortable(by:)", in: "Nodes/Aborter", for: "let an operation be aborted from outside") {
            law(.lossless) { up in up.source.abortable(by: Aborter()) }
            law(.lossless, as: "by a stream") { up in up.source.abortable(by: Observable<Int>.never()) }
            picture("--1--2--3|", "------x---", gives: "--1--2#", failing: Aborter.OperationAborted()) { up in
                up.numbers.abortable(by: up.others)
            }
            fuzz("%0.abortable(by: %1)") { parts in
                parts.up.abortable(by: parts.other)
            } reference: { walk in
                try walk.notified { _ in
                    walk.error("\(Aborter.OperationAborted())")
                } source: {
                    walk.pass($0)
                }
            }
        }
        Operator(
            "refreshing(with:when:)", in: "Nodes/Refreshing", for: "refresh an expired token, once for all requests",
            elsewhere: Names(rxJava: "retryWhen", flow: "retryWhen")
        ) {
            law([.lossless, .resubscribes]) { up in
                up.source.refreshing(with: TokenRefresherNode(chain: AnyNode { .just(1) }) { _ in }, when: { _ in false })
            }
            fuzz(passing: "%0.refreshing(with: refresher, when: { _ in false })") { parts in
                parts.up.refreshing(with: TokenRefresherNode(chain: AnyNode { .just(1) }) { _ in }, when: { _ in false })
            }
            picture(
                "--#", "------1--2--|", gives: "------1--2--|", subscribed: "^-!", "----^-------!"
            ) { up in
                let hasNewToken = BehaviorRelay(value: false)
                let keys = TokenRefresherNode(
                    chain: AnyNode<Void, Int> { _ in Observable<Int>.timer(.seconds(2), scheduler: up.scheduler) }
                ) { _ in hasNewToken.accept(true) }
                return Observable.deferred { hasNewToken.value ? up.others : up.letters }
                    .refreshing(with: keys) { $0 is TestError }
            }
        }
        Operator("logged(_:to:)", in: "Nodes/OperationLog", for: "collect the log messages of an operation") {
            law(.lossless) { up in up.source.logged { _ in } }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.logged { _ in } }
            fuzz(passing: "%0.logged { _ in }") { parts in parts.up.logged { _ in } }
        }
        Operator("logging(_:)", in: "Nodes/NodeLog", for: "write to the log of the operation in a source") {
            law(.lossless) { up in .logging { _ in try up.user(up.source) } }
            fuzz(passing: "Observable.logging { _ in %0 }") { parts in .logging { [up = parts.up] _ in up } }
            picture("--1--2--|", gives: "--1--2--|") { up in
                Observable.logging { log in
                    log.note(.info, "Picture", "begins")
                    return up.numbers
                }
            }
        }
        Operator("noting(_:as:_:)", in: "Nodes/NodeLog", for: "write each element to the log of the operation") {
            law(.lossless) { up in up.source.noting(.info, as: "row") { _ in nil }.logged { _ in } }
            picture("--1--2--|", gives: "--1--2--|") { up in up.numbers.noting(.info, as: "Picture") { "\($0)" }.logged { _ in } }
            fuzz(passing: "%0.noting(.info, as: \"fuzzed\") { \"\\($0)\" }") { parts in parts.up.noting(.info, as: "fuzzed") { "\($0)" } }
        }
    }
}
