import Foundation
import StreamsTesting

extension Picture {
    static let sharing: [Picture] = [
        Picture("connect", in: "Sharing/ConnectableObservable", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            let shared = up.numbers.publish()
            return shared.do(onSubscribed: { _ = shared.connect() })
        },
        Picture("autoconnect", in: "Sharing/ConnectableObservable", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.publish().autoconnect()
        },
        Picture("refCount", in: "Sharing/ConnectableObservable", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.publish().refCount()
        },
        Picture("multicast", in: "Sharing/Multicast", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.multicast(ReplaySubject(bufferSize: 1)).refCount()
        },
        Picture("multicast(makeSubject:)", in: "Sharing/Multicast", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.multicast(makeSubject: { ReplaySubject(bufferSize: 1) }).refCount()
        },
        Picture("cache", in: "Sharing/Multicast", "--1--|", gives: "--1--|", heard: "^----!") { up in up.letters.cache() },
        Picture("share", in: "Sharing/Share", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            let shared = up.numbers.share()
            return Observable.merge(shared, shared).distinctUntilChanged()
        },
        Picture("share(replay:)", in: "Sharing/Share", "--1--2--|", gives: "--1--2--|", heard: "^-------!") { up in
            up.numbers.share(replay: 1)
        },
    ]
}
