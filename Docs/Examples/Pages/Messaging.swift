// The blocks of `Docs/Messaging.md`, with what they take for granted.
import Foundation
import NetNodes

private struct SocketPage {
    let bag: DisposeBag

    func connects() {
        let node = SocketNode(timeouts: .init(connect: .seconds(5), idle: .seconds(60)))
        let endpoint = SocketEndpoint(host: "example.com", port: 7000, security: .tls())

        node.stream(endpoint)
            .flatMap { connection -> Observable<Data> in
                connection.send(Data("hello\n".utf8))
                return connection.received
            }
            .subscribe(onNext: { bytes in print(bytes.count) }, onError: { print($0.localizedDescription) })
            .disposed(by: bag)
    }
}
