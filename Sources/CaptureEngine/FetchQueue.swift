import FrameFastModel

/// What a session has still to fetch, in order. Each capture is in it once, and is fetched by one fetch at a time, however
/// often it is told of: by an event, by the list, by a person.
struct FetchQueue {
    private var waiting: [CaptureRecord] = []
    /// Captures that were handed out and have not come to an end.
    private var underWay: Set<Int64> = []

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.isEmpty }
    /// How many wait.
    var count: Int { waiting.count }
    /// The next one.
    var first: CaptureRecord? { waiting.first }

    /// Puts captures behind the others; those that are here already stay where they are.
    mutating func append(_ records: some Sequence<CaptureRecord>) {
        for record in records where !holds(record.id) { waiting.append(record) }
    }

    /// Puts a capture before the others: nothing is wrong with it, there was no room for it.
    mutating func putBack(_ record: CaptureRecord) {
        guard !holds(record.id) else { return }
        waiting.insert(record, at: 0)
    }

    /// Hands out the next one.
    mutating func next() -> CaptureRecord? {
        guard !waiting.isEmpty else { return nil }
        let record = waiting.removeFirst()
        underWay.insert(record.id)
        return record
    }

    /// What was handed out came to an end, good or bad.
    mutating func ended(_ id: Int64) { underWay.remove(id) }

    private func holds(_ id: Int64) -> Bool {
        underWay.contains(id) || waiting.contains { $0.id == id }
    }
}
