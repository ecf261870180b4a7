"""Contexts."""

from row import *

statements(
    ("Observer.onCompleted(_:)", "Context.emit(data:)"), "let c = Context<Element>(); c.onCompleted { x in log.add(key(x)) }; c.emit(data: make(2))",
    received(2))
statements(
    "Observer.map(_:)",
    "let c = Context<Element>(); let m = c.map { ($0, 1) }; m.onCompleted { x in log.add(pair(key(x.0), x.1)) }; c.emit(data: make(2))",
    "[pair(keyed(2), 1)]")
statements(
    "Observer.combine(_:)",
    "let c = Context<Element>(); let e = Context<Element>(); let m = c.combine(e); m.onCompleted { x in log.add(pair(key(x.0), key(x.1))) }; "
    "c.emit(data: make(2)); e.emit(data: make(3))",
    received((2, 3)), needs="not-tuple")
statements(
    "Observer.combine(_:)",
    "let c = Context<Element>(); let e = Context<Element>(); let m = c.combine(e).combine(Context<Int>.emit(data: 7)); "
    "m.onCompleted { x in log.add(pair(key(x.0), pair(key(x.1), x.2))) }; c.emit(data: make(2)); e.emit(data: make(3))",
    "[pair(keyed(2), pair(keyed(3), 7))]", needs="not-tuple")
statements(
    "Observer.combineTolerance(_:)",
    "let c = Context<Element>(); let e = Context<Element>(); let m = c.combineTolerance(e); "
    "m.onCompleted { x in log.add(pair(x.0.map { key($0) } ?? -9, x.1.map { key($0) } ?? -9)) }; c.emit(data: make(2)); e.emit(error: Fault.a)",
    "[pair(keyed(2), -9)]", needs="not-tuple")
statements(
    "Observer.chain(_:)",
    "let c = Context<Element>(); let m = c.chain { _ in Context<Element>.emit(data: make(4)) }; "
    "m.onCompleted { x in log.add(pair(key(x.0), key(x.1))) }; c.emit(data: make(2))",
    received((2, 4)))
statements(
    "Observer.then(_:)",
    "let c = Context<Element>(); let m = c.then { (_: Element) in Context<Element>.emit(data: make(4)) }; m.onCompleted { x in log.add(key(x)) }; "
    "c.emit(data: make(2))",
    received(4))
statements(
    "Observer.filter(_:)",
    "let tally = Tally(); let c = Context<[Element]>(); let m = c.filter { (x: Element) in tally.next() < 3 }; "
    "m.onCompleted { x in log.add(x.reduce(7) { $0 &* 31 &+ key($1) }) }; c.emit(data: elements(3))",
    received([0, 1]))
row("Observer.asObservable()", "c.asObservable()", emits(2), before="let c = Context<Element>()", after="c.emit(data: make(2))")
row("ObservableType.asContext()", "SOURCE(1).asContext().asObservable()", emits(0))
row(
    "Observer.outcomes", "c.outcomes", received(2), read="{ switch x { case .data(let y): key(y); case .failure: -3; case .cancelled: -4 } }()",
    before="let c = Context<Element>()", after="c.emit(data: make(2))")
statements(
    "MulticastContext.init()",
    "let c = MulticastContext<Element>(); c.onCompleted { x in log.add(key(x)) }; c.emit(data: make(2)); c.emit(data: make(3))", received(2, 3))
