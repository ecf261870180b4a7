import InspectedForms
import Streams

// Code at the top level, which awaits nothing.
let numbers = PublishSubject<Int>()
let statement = numbers.map { $0 + 1 }.subscribe { _ in }
let stream = { numbers.skip(1) }
let closure = stream().subscribe { _ in }
let function = evenNumbers(numbers).subscribe { _ in }
let library = doubled(numbers).subscribe { _ in }

_ = MainScheduler.instance.schedule {
    printChains()
    MainLoop.stop()
}
MainLoop.run()
