import TerminalViews

/// Shows the ticker until q is pressed, and returns the exit code.
@MainActor
func show(_ ticker: Ticker, on terminal: Terminal) -> Int32 {
    let price = Label(style: .bold, alignment: .center)
    let bag = MainLoop.disposeBag
    ticker.lines.asDriver(onErrorJustReturn: "no prices").drive(price.rx.text).disposed(by: bag)

    let keyboard = Keyboard()
    keyboard.keys.filter { $0 == .character("q") }
        .subscribe(onNext: { _ in MainLoop.stop() }, onCompleted: { MainLoop.stop(code: 129) })
        .disposed(by: bag)

    return Screen(root: price, terminal: terminal).run()
}
