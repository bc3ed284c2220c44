import FrameFastModel

/// What a session has still to fetch, in order. Each capture is in it once, and is fetched by one fetch at a time, however
/// often it is told of: by an event, by the list, by a person.
struct FetchQueue {
    private var waiting: [CaptureRecord] = []
    /// Captures that wait, and those that were handed out and have not come to an end.
    private(set) var ids: Set<CaptureID> = []

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.isEmpty }
    /// How many wait.
    var count: Int { waiting.count }
    /// The next one.
    var first: CaptureRecord? { waiting.first }

    /// Puts captures behind the others; those that are here already stay where they are.
    mutating func append(_ records: some Sequence<CaptureRecord>) {
        for record in records where ids.insert(record.id).inserted { waiting.append(record) }
    }

    /// Puts a capture before the others: nothing is wrong with it, there was no room for it.
    mutating func putBack(_ record: CaptureRecord) {
        guard ids.insert(record.id).inserted else { return }
        waiting.insert(record, at: 0)
    }

    /// Hands out the next one that `fits`; those before it stay where they are and let it pass.
    mutating func next(fits: (CaptureRecord) -> Bool = { _ in true }) -> CaptureRecord? {
        waiting.firstIndex(where: fits).map { waiting.remove(at: $0) }
    }

    /// Takes out a capture that waits; one that was handed out comes to its end by itself.
    mutating func remove(_ id: CaptureID) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index)
        ids.remove(id)
    }

    /// What was handed out came to an end, good or bad.
    mutating func ended(_ id: CaptureID) { ids.remove(id) }
}
