import LoopbackServer
import NetNodes
import QuoteModel
import TerminalViews

// Serves quotes on the loopback address, asks for them as any client would, and shows them in views: once, and then it ends.
let quotes = BehaviorRelay(value: [Quote(symbol: "ACME", price: 126.5), Quote(symbol: "BLUE", price: 41.25)])
let server = LoopbackServer(.get("/quotes") { _ in .json(quotes.value) })
try server.start()

let api = URLChain(transport: .shared).timeout(.seconds(5)).retry()
let model = QuoteModel(
    quotes: api.route(.get, server.baseURL.appending(path: "quotes")).output([Quote].self),
    scheduler: ConcurrentDispatchQueueScheduler(qos: .userInitiated))

let title = Label(style: .bold)
let list = List()
let screen = Stack(.vertical, [title, list])
let bag = MainLoop.disposeBag

let lines = model.lines(every: .milliseconds(50)).share(replay: 1)
lines.map { "\($0.count) quotes" }.bind(to: title.rx.text).disposed(by: bag)
lines.bind(to: list.rx.texts).disposed(by: bag)

lines.take(1).subscribe(onNext: { _ in quotes.update { $0.append(Quote(symbol: "CRNX", price: 313.5)) } }).disposed(by: bag)
lines.skip(1).take(1).delay(.milliseconds(50), scheduler: MainScheduler.instance)
    .bind { _ in
        print(screen.snapshot(in: Size(width: 20, height: 4)).text)
        MainLoop.stop()
    }
    .disposed(by: bag)

let code = MainLoop.run()
server.stop()
if code != 0 { print("ended with \(code)") }
