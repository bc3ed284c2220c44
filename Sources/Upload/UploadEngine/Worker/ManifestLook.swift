import Foundation

/// When a worker looks for manifests that may go, and the ones that it sends.
struct ManifestLook: Sendable {
    /// Shortest time between two looks, in seconds: while photos go one by one, each is a reason for one.
    private static let pauseSeconds = 1.0
    /// How long a file may take, in times of what an upload may stand still.
    private static let patience = 5.0

    /// Whether something happened after which manifests may go. The first look is at once.
    var isWanted = true
    private var notBefore = Date.distantPast
    /// When one that failed is tried again.
    private var later: Date?
    private var task: Task<Void, Never>?
    /// When what is being sent is given up.
    private var end: Date?

    /// Whether manifests are on their way.
    var isSending: Bool { task != nil }

    /// When the worker has to wake; `nil` when nothing is to be done.
    var due: Date? {
        if let end, isSending { return end }
        return isWanted ? notBefore : later
    }

    /// Whether it is time for a look.
    func mayLook(at now: Date) -> Bool {
        guard !isSending, notBefore <= now else { return false }
        return isWanted || later.map { $0 <= now } ?? false
    }

    /// A look begins: what happens from now on is a reason for the next one.
    mutating func looks(at now: Date) {
        isWanted = false
        notBefore = now.addingTimeInterval(Self.pauseSeconds)
    }

    /// It was looked.
    ///
    /// - Parameter later: When one that waits may go.
    mutating func looked(later: Date?, at now: Date) {
        self.later = later.map { max($0, now.addingTimeInterval(Self.pauseSeconds)) }
    }

    /// They are on their way.
    mutating func sends(_ task: Task<Void, Never>) { self.task = task }

    /// A file begins.
    ///
    /// - Parameter stallSeconds: Longest time in which an upload does not move.
    mutating func begins(at now: Date, stallSeconds: Double) {
        end = now.addingTimeInterval(stallSeconds * Self.patience)
    }

    /// Whether what is being sent takes too long.
    func stalls(at now: Date) -> Bool { isSending && end.map { $0 <= now } ?? false }

    /// Ends what is being sent.
    mutating func stop() {
        task?.cancel()
        end = nil
    }

    /// Nothing is on its way any more.
    mutating func ended() {
        (task, end) = (nil, nil)
        isWanted = true
    }
}
