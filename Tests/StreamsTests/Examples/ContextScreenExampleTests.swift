import Streams
import StreamsTesting
import Testing

/// The listings of the second text about contexts that run several requests.
@Suite("The listings about screens with several requests", .onOneThread, .countsResources) struct ContextScreenExampleTests {
    struct Banner {
        let name: String
    }
    struct Product {
        let name: String
    }
    struct Action {
        let name: String
    }

    struct BuisnessValue {
        let banner: Banner
        let products: [Product]
        let actions: [Action]
    }

    final class ScreenService: Sendable {
        let banner = Operation<Banner>()
        let products = Operation<[Product]>()
        let actions = Operation<[Action]>()

        func getBuisnessValue() -> Observer<BuisnessValue> {
            return self.getBanner()
                .combine(self.getProducts)
                .combine(self.getActions)
                .map { (args) in
                    let (banner, products, actions) = args
                    return BuisnessValue(
                        banner: banner,
                        products: products,
                        actions: actions)
                }
        }

        func getBanner() -> Observer<Banner> { banner.start() }

        func getProducts() -> Observer<[Product]> { products.start() }

        func getActions() -> Observer<[Action]> { actions.start() }
    }

    @Test func `combine<T>(_ provider: @escaping @autoclosure () -> Observer<T>) -> Observer<(Model, T)>`() {
        let output = Output()
        let service = ScreenService()

        let value = service.getBuisnessValue()
        value.onCompleted { output.print("\($0.banner.name) \($0.products.map(\.name)) \($0.actions.map(\.name))") }

        // The three run at the same time: all were started before one has answered.
        #expect([service.banner.starts, service.products.starts, service.actions.starts] == [1, 1, 1])
        service.actions.succeed([Action(name: "more")])
        service.banner.succeed(Banner(name: "sale"))
        #expect(output.lines.isEmpty)
        service.products.succeed([Product(name: "tea")])
        #expect(output.lines == ["sale [\"tea\"] [\"more\"]"])
    }

    struct Promotions {
        let name: String
    }
    struct PersonalDiscounts {
        let name: String
    }
    struct StockItems {
        let name: String
    }

    struct PromotionsValue {
        let promotions: Promotions?
        let personalDiscounts: [PersonalDiscounts]?
        let stockItems: [StockItems]?
    }

    final class PromotionsService: Sendable {
        let promotions = Operation<Promotions>()
        let personalDiscounts = Operation<[PersonalDiscounts]>()
        let stockItems = Operation<[StockItems]>()

        func getPromotionsValue() -> Observer<PromotionsValue> {
            return self.getPromotions()
                .combineTolerance(self.getPersonalDiscounts)
                .combineTolerance(self.getStockItems)
                .map { (args) in
                    let (promotions, personalDiscounts, stockItems) = args
                    return PromotionsValue(
                        promotions: promotions,
                        personalDiscounts: personalDiscounts,
                        stockItems: stockItems)
                }
        }

        func getPromotions() -> Observer<Promotions> { promotions.start() }

        func getPersonalDiscounts() -> Observer<[PersonalDiscounts]> { personalDiscounts.start() }

        func getStockItems() -> Observer<[StockItems]> { stockItems.start() }
    }

    @Suite("combineTolerance<T>(_ provider: @escaping @autoclosure () -> Observer<T>) -> Observer<(Model?, T?)>", .countsResources)
    struct CombineTolerance {
        @Test func `An unauthorized user sees the rest`() {
            let output = Output()
            let service = PromotionsService()

            service.getPromotionsValue()
                .onCompleted { value in
                    output.print(
                        "\(value.promotions?.name ?? "-") \(value.personalDiscounts?.count ?? -1) \(value.stockItems?.count ?? -1)")
                }
                .onError { _ in output.print("Error!") }

            service.promotions.succeed(Promotions(name: "sale"))
            service.personalDiscounts.send(.error(Failure.some))
            #expect(output.lines.isEmpty)
            service.stockItems.succeed([StockItems(name: "tea")])
            #expect(output.lines == ["sale -1 1"])
        }

        @Test func `The first two fail and the third does not`() {
            let output = Output()
            let service = PromotionsService()

            service.getPromotionsValue()
                .onCompleted { output.print("\($0.promotions == nil) \($0.personalDiscounts == nil) \($0.stockItems?.count ?? -1)") }
            service.promotions.send(.error(Failure.some))
            service.personalDiscounts.send(.error(Failure.other))
            service.stockItems.succeed([])

            #expect(output.lines == ["true true 0"])
        }

        @Test func `Only if all fail is onError called, with the first one's error`() {
            let output = Output()
            let service = PromotionsService()

            service.getPromotionsValue()
                .onCompleted { _ in output.print("data") }
                .onError { output.print("\($0)") }
            service.stockItems.send(.error(Failure.third))
            service.personalDiscounts.send(.error(Failure.other))
            #expect(output.lines.isEmpty)
            service.promotions.send(.error(Failure.some))

            #expect(output.lines == ["some"])
        }
    }

    struct ShortAccount {
        let type: String
    }
    struct Card {
        let name: String
    }
    struct Account {
        let short: ShortAccount
        let cards: [Card]
    }

    final class Bank: Sendable {
        let account = Operation<ShortAccount>()
        let cards = Operation<[Card]>()
        let asked = Output()

        func getAccount() -> Observer<Account> {
            return self.getShortAccount()
                .chain(self.getCards)
                .map { (args) in
                    let (account, cards) = args
                    return Account(short: account, cards: cards)
                }
        }

        func getShortAccount() -> Observer<ShortAccount> {
            account.start()
        }

        func getCards(model: ShortAccount) -> Observer<[Card]> {
            asked.print("cards of \(model.type)")
            return cards.start()
        }
    }

    @Test func `chain<T>(with contextProvider: @escaping (Model) -> Observer<T>?) -> Observer<(Model, T)>`() {
        let output = Output()
        let bank = Bank()

        let account = bank.getAccount()
        account.onCompleted { output.print("\($0.short.type) \($0.cards.map(\.name))") }
        #expect(bank.cards.starts == 0)
        bank.account.succeed(ShortAccount(type: "savings"))
        bank.cards.succeed([Card(name: "gold")])

        #expect(bank.asked.lines == ["cards of savings"])
        #expect(output.lines == ["savings [\"gold\"]"])
    }
}
