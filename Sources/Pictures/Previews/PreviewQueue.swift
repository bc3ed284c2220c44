import FrameFastSystem

/// The orders that wait for the picture worker. The newest order runs first, because a client that scrolls
/// needs the newest pictures.
///
/// All clients that wait for the same picture share one order. A waiting order becomes the newest order if a
/// client repeats it.
struct PreviewQueue: Sendable {
    /// The largest number of waiting orders. A page requests only pictures that it shows, about 100.
    static let waitingMax = 256

    /// The result of an order.
    typealias Outcome = Result<PictureContent, PreviewError>

    /// An order with the number of clients that wait for it.
    struct Entry: Sendable {
        let order: PreviewOrder
        let outcome = AsyncResult<Outcome>()
        var clients = 1
    }

    /// The waiting orders, oldest first.
    private var waiting: [Entry] = []
    private var running: Entry?

    /// Whether no order is waiting.
    var isEmpty: Bool { waiting.isEmpty }

    /// The waiting orders, in the order in which they run.
    var waitingOrders: [PreviewOrder] { waiting.reversed().map(\.order) }

    /// Adds a client that waits for an order.
    ///
    /// - Returns: The order's outcome, and the oldest order if the queue was full. The caller sets the
    ///   outcome of that order.
    mutating func add(_ order: PreviewOrder) -> (outcome: AsyncResult<Outcome>, dropped: Entry?) {
        if running?.order == order, let running { return (running.outcome, nil) }
        if let index = waiting.firstIndex(where: { $0.order == order }) {
            var entry = waiting.remove(at: index)
            entry.clients += 1
            waiting.append(entry)
            return (entry.outcome, nil)
        }
        let entry = Entry(order: order)
        waiting.append(entry)
        return (entry.outcome, waiting.count > Self.waitingMax ? waiting.removeFirst() : nil)
    }

    /// Removes a client that no longer waits. Removes a waiting order without clients. A running order
    /// continues, because its result is stored.
    ///
    /// - Parameter outcome: The outcome that the client received. The outcome identifies the order, because
    ///   other clients may already wait for a later order of the same picture.
    mutating func removeClient(of outcome: AsyncResult<Outcome>) {
        guard let index = waiting.firstIndex(where: { $0.outcome === outcome }) else { return }
        waiting[index].clients -= 1
        if waiting[index].clients == 0 { waiting.remove(at: index) }
    }

    /// Starts the newest order. Returns `nil` if no order is waiting, or if an order is running.
    mutating func startNext() -> Entry? {
        guard running == nil else { return nil }
        running = waiting.popLast()
        return running
    }

    /// Ends the running order.
    mutating func finish() { running = nil }

    /// Removes all waiting orders.
    ///
    /// - Returns: The removed orders. The caller sets their outcomes.
    mutating func removeAll() -> [Entry] {
        defer { waiting = [] }
        return waiting
    }
}
