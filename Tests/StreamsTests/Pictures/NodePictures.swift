import StreamsTesting

extension Picture {
    static let nodes: [Picture] = [
        Picture("through", in: "Nodes/Through", "-a-b--------|", gives: "------b-----|", heard: "^-----------!") { up in
            up.letters.through(AnyNode(up.loading), .latest)
        },
        Picture("trackActivity", in: "Nodes/LoadIndicatableNode", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.trackActivity(LoadIndicator())
        },
        Picture(
            "abortable", in: "Nodes/AborterNode", "--1--2--3|", "------x---", gives: "--1--2#", failing: OperationAborted(),
            heard: "^-----!", "^-----!"
        ) { up in
            up.numbers.abortable(by: up.others)
        },
        Picture("logged", in: "Nodes/LoggerNode", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.logged { _ in }
        },
        Picture("noting", in: "Nodes/NodeLog", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.noting(.info, as: "Picture") { "\($0)" }.logged { _ in }
        },
    ]
}
