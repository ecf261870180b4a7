import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("The inspector's tree", .onOneThread, .enabled(if: Inspector.isAvailable))
struct InspectorTreeTests {
    @Test(arguments: operatorTable)
    func `Subscribing to an operator gives one connected tree, and disposing leaves nothing`(row: OperatorRow) {
        let scope = InspectorScope()
        let (source, other) = (Tap(), Tap())
        let scheduler = VirtualTimeScheduler()
        scope.inspecting {
            let upstreams = Upstreams(source: source.observable, other: other.observable, user: UserCode(), scheduler: scheduler)
            let subscription = row.apply(upstreams).subscribe(onNext: { _ in }, onError: { _ in })
            expectOneTree(scope.snapshot(withPlaces: false))
            scheduler.advance(by: .seconds(2))
            for (tap, value) in [(other, 100), (source, 1), (other, 101), (source, 2)] {
                tap.send(.next(Probed(value)))
                expectOneTree(scope.snapshot(withPlaces: false))
                scheduler.advance(by: .seconds(2))
                expectOneTree(scope.snapshot(withPlaces: false))
            }
            subscription.dispose()
            if row.traits.contains(.staysConnected) { source.send(.completed) }
            scheduler.advance(by: .seconds(10))
        }
        #expect(scope.snapshot().nodes.map(\.operatorName) == [])
    }

    private func expectOneTree(_ snapshot: InspectorSnapshot) {
        let roots = snapshot.roots
        #expect(roots.count <= 1, "\(snapshot.outline)")
        let ids = Set(snapshot.nodes.map(\.id))
        #expect(snapshot.nodes.allSatisfy { $0.parent.map(ids.contains) ?? true })
    }

    @Test func `A node has the name of its operator and the line that built it`() throws {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        let (line, subscription) = scope.inspecting {
            (#line, subject.map { $0 + 1 }.filter { $0 > 0 }.debounce(.seconds(1), scheduler: VirtualTimeScheduler()).subscribe { _ in })
        }
        defer { subscription.dispose() }
        let nodes = scope.snapshot().nodes
        #expect(nodes.map(\.operatorName) == ["debounce", "filter", "map", "PublishSubject"])
        #expect(nodes.map(\.place) == nodes.map { _ in .init(file: "StreamsTests/InspectorTreeTests.swift", line: line) })
    }

    @Test func `Only operators that the package builds without a line of the program are internal`() {
        let scope = InspectorScope()
        let published = PublishSubject<Int>().publish()
        let inner = PublishSubject<Int>()
        let bag = DisposeBag()
        scope.inspecting {
            published.map { $0 }.subscribe { _ in }.disposed(by: bag)
            Observable.just(1).flatMap { _ in inner.filter { $0 > 0 } }.subscribe { _ in }.disposed(by: bag)
        }
        let nodes = scope.snapshot().nodes
        let isInternal = nodes.map { "\($0.operatorName) \($0.isInternal ?? false)" }
        #expect(
            isInternal == [
                "map false", "ConnectableObservable false", "PublishSubject true", "flatMap false", "filter false", "PublishSubject false",
            ])
        #expect(nodes.allSatisfy { ($0.place == nil) == ($0.isInternal == true) })
    }

    @Test func `An observable that an action of the package builds on the main loop is internal, whichever line runs the loop`() {
        func frame(_ function: String, _ symbol: String) -> SymbolTable.Frame {
            .init(address: 1, function: function, symbol: symbol, image: "App", file: "/App/main.swift", line: 9)
        }
        let operators = [
            frame("Streams.Observable.init(start: () -> ()) -> Streams.Observable<A>", "$s7Streams10ObservableV5startACyxG_tcfC"),
            frame("Streams.ObservableType.map<A>(_: (A) -> A) -> Streams.Observable<A>", "$s7Streams14ObservableTypePAAE3mapyAA0B0V"),
        ]
        let loop = frame("static Schedulers.MainLoop.run(until: Foundation.Date) -> Swift.Int32", "$s10Schedulers8MainLoopO3runyyFZ")
        let program = frame("main", "main")
        let action = CallStack.Site(operators + [loop, program])
        #expect(action.operatorName == "map" && action.place == nil && action.isInternal)
        let call = CallStack.Site(operators + [program])
        #expect(call.operatorName == "map" && call.place?.line == 9 && !call.isInternal)
        #expect(CallStack.Site(operators).isInternal)
    }

    /// The function that calls the operator, as builds in debug and in release name it.
    @Test(
        arguments: [
            ("main", "top_level/main.swift:9"), ("shop_main", "shop/main.swift:9"), ("async_Main", "top_level/main.swift:9"),
            ("async_MainTY1_", "top_level/main.swift:9"), ("async_MainTQ0_", "top_level/main.swift:9"),
            ("$s4shopyyXEfU_", "shop/main.swift:9"),
            ("$s4shop4MainV4mainyyFZ", "shop/main.swift:9"), ("$s4shop4MainV4mainyyYaFZTf4d_nTY2_", "shop/main.swift:9"),
            ("$s4shop5OwnerC5startyyF", "shop/main.swift:9"), ("$s4shopyyYacfU2_TATQ0_", "shop/main.swift:9"), ("swift_job_run", nil),
            ("_dispatch_call_block_and_release", nil), ("__libc_start_call_main", nil), ("$sIegh_IeyBh_TR", nil),
            ("streams_call_stack", nil),
        ] as [(String, String?)])
    func `A function of the program is its caller, in whichever form the program is; one of the runtime is not`(
        symbol: String, place: String?
    ) {
        func frame(_ symbol: String, _ function: String) -> SymbolTable.Frame {
            .init(address: 1, function: function, symbol: symbol, image: "shop", file: "/work/top-level/main.swift", line: 9)
        }
        let call = frame("$s7Streams14ObservableTypePAAE3mapyAA0B0V", "Streams.ObservableType.map<A>(_: (A) -> A) -> Streams.Observable<A>")
        let origin = CallStack.Site([call, frame(symbol, symbol)])
        #expect(origin.operatorName == "map" && origin.place?.description == place && origin.isInternal == (place == nil))
    }

    @Test func `Of an operator that consists of others all but the outermost are internal, and none of those that a loop builds`() {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        scope.inspecting {
            subject.nwise(2).subscribe { _ in }.disposed(by: bag)
            (0..<3).reduce(subject.asObservable()) { stream, _ in stream.map { $0 } }.subscribe { _ in }.disposed(by: bag)
        }
        let isInternal = scope.snapshot().nodes.map { "\($0.operatorName) \($0.isInternal ?? false)" }
        #expect(isInternal[..<3] == ["nwise false", "nwise true", "PublishSubject false"])
        #expect(isInternal[3...] == ["map false", "map false", "map false", "PublishSubject false"])
    }

    @Test func `Elements, upstreams and errors are counted where they pass`() throws {
        let scope = InspectorScope()
        let attempts = Lock(0)
        let subject = PublishSubject<Int>()
        let subscription = scope.inspecting {
            Observable<Int>.deferred {
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                return attempt < 4 ? .error(TestError.failed) : subject.asObservable()
            }.retry(10).map { $0 }.subscribe { _ in }
        }
        for number in 0..<5 { subject.onNext(number) }
        let nodes = scope.snapshot().nodes
        let retry = try #require(nodes.first { $0.operatorName == "retry" })
        #expect(retry.starts == 4 && retry.errors == 3 && retry.lastError != nil)
        #expect(nodes.map(\.elements) == nodes.map { _ in 5 })
        #expect(nodes.first?.lastEvent != nil)
        subscription.dispose()
        #expect(scope.snapshot().nodes == [])
    }

    @Test func `A subscription that user code makes inside an operator is a chain of its own`() {
        let scope = InspectorScope()
        let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
        let bag = DisposeBag()
        scope.inspecting {
            outer.map { value in
                inner.subscribe { _ in }.disposed(by: bag)
                return value
            }.subscribe { _ in }.disposed(by: bag)
            outer.onNext(1)
        }
        #expect(scope.snapshot().roots.map(\.operatorName) == ["map", "PublishSubject"])
        #expect(scope.snapshot().roots.map(\.retainer) == [.bag, .bag])
    }

    @Test func `The connection of a shared stream stays upstream of a subscriber when the first one goes`() {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        scope.inspecting {
            let shared = subject.map { $0 }.share()
            let first = shared.subscribe { _ in }
            let second = shared.subscribe { _ in }
            #expect(scope.snapshot().roots.map { $0.sharing?.subscribers } == [2, 2])
            first.dispose()
            let snapshot = scope.snapshot()
            #expect(snapshot.nodes.map(\.operatorName) == ["share", "map", "PublishSubject"])
            #expect(snapshot.roots.count == 1 && snapshot.roots.first?.sharing?.isConnected == true)
            second.dispose()
        }
        #expect(scope.snapshot().nodes == [])
    }

    @Test func `A subscription that nobody references is freed as without the inspector`() {
        let scope = InspectorScope()
        scope.inspecting {
            let subject = PublishSubject<Int>()
            _ = subject.map { $0 }.subscribe { _ in }
            #expect(scope.count == 2)
        }
        #expect(scope.snapshot().nodes == [])
    }

    @Test func `Operators beyond the limit are counted while they run`() {
        let scope = InspectorScope(limit: 3)
        let subject = PublishSubject<Int>()
        let bag = CompositeDisposable()
        scope.inspecting {
            for _ in 0..<5 { _ = bag.insert(subject.subscribe { _ in }) }
        }
        #expect(scope.snapshot().nodes.count == 3 && scope.snapshot().totals.hidden == 2)
        bag.dispose()
        #expect(scope.snapshot().nodes.count == 0 && scope.snapshot().totals.hidden == 0)
        #expect(scope.snapshot().totals.started == 5)
    }

    @Test func `A leak has the line that built its chain`() {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        let line = #line + 1
        let kept = scope.inspecting { (0..<3).map { _ in subject.map { $0 }.subscribe { _ in } } }
        #expect(scope.snapshot().leaks.map(\.description) == ["3 × map (StreamsTests/InspectorTreeTests.swift:\(line))"])
        for subscription in kept { subscription.dispose() }
        #expect(scope.snapshot().leaks == [])
    }
}

extension InspectorSnapshot {
    /// The tree as text, for a failure.
    var outline: String {
        nodes.map { "\($0.id) <- \($0.parent.map { "\($0)" } ?? "-") \($0.operatorName) \($0.place?.description ?? "")" }.joined(
            separator: "\n")
    }
}
