// A whole program with a screen: the block of the page about terminal views.
import TerminalViews

let label = Label(style: .bold, alignment: .center)
let bag = MainLoop.disposeBag
Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
    .map { "up for \($0) s" }
    .bind(to: label.rx.text)
    .disposed(by: bag)

guard let terminal = Terminal() else { fatalError("This needs a terminal.") }
let keyboard = Keyboard()
keyboard.keys.filter { $0 == .character("q") || $0 == .control("c") }
    .subscribe(onNext: { _ in MainLoop.stop() }, onCompleted: { MainLoop.stop(code: 129) })
    .disposed(by: bag)

terminal.enter()
let screen = Screen(root: label, terminal: terminal)
MainLoop.run()
terminal.leave()
