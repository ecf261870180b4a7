// The blocks of `Docs/Schedulers.md` about async/await, with what they take for granted.
import Streams

private struct Member: Sendable {}

private struct Service: Sendable {
    func profile(of member: Member) async throws -> String { "" }
}

private actor Counter {
    private var total = 0

    func add(_ number: Int) { total += number }
}

@MainActor private final class Label {
    var text = ""
}

private struct ConcurrencyPage {
    let quotes: Observable<String>
    let numbers: Observable<Int>
    let users: Observable<Member>
    let team: [Member]
    let service: Service
    let counter: Counter
    let label: Label
    let bag: DisposeBag

    func show(_ quote: String) {}

    func loops() async throws {
        for try await quote in quotes.values {
            show(quote)
            if quote.isEmpty { break }  // disposes the subscription
        }
        let long = try await quotes.values.filter { $0.count > 3 }.map { $0.uppercased() }.first { $0.hasPrefix("A") }
        print(long ?? "none")
    }

    func awaitedElements() async throws {
        let first = try await numbers.firstElement()
        let even = try await numbers.firstElement { number in number.isMultiple(of: 2) }
        let all = try await numbers.take(3).array()
        print(first, even, all)
    }

    @MainActor func actors() async {
        actor Account {
            nonisolated let balances = BehaviorRelay(value: 0)
            private let bag = DisposeBag()
            private var balance = 0

            func follow(_ payments: Observable<Int>) {
                payments.subscribe(isolatedTo: self) { account, payment in
                    account.balance += payment
                    account.balances.accept(account.balance)
                }.disposed(by: bag)
            }
        }

        let account = Account()
        await account.follow(numbers)
        account.balances.bind(onNext: { balance in label.text = "\(balance)" }).disposed(by: bag)
        // Awaits an actor for each element, in order.
        numbers.mapAsync { number in await counter.add(number) }.subscribe().disposed(by: bag)
    }

    func taskGroups() async throws {
        let profiles = Observable.fromTaskGroup { group in
            for user in team { group.addTask { try await service.profile(of: user) } }
        }
        profiles.subscribe(onNext: { profile in print(profile) }).disposed(by: bag)

        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for try await user in users.values { group.addTask { try await service.profile(of: user).count } }
            return try await group.reduce(0, +)
        }
        print(total)
    }
}
