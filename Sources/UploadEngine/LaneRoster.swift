import Synchronization

/// The lanes as they are now. They change when the configuration is read again, while uploads go on.
final class LaneRoster: Sendable {
    /// A lane that is to run, once the one before it under its name has ended.
    struct Start: Sendable {
        let lane: UploadLane
        let predecessor: UploadLane?
    }

    /// Lanes that are to run. Ends with the service. One reader.
    let starts: AsyncStream<Start>
    private let start: AsyncStream<Start>.Continuation
    private let lanes = Mutex<[UploadLane]>([])

    init() {
        // As many as destinations are configured, at a person's pace.
        (starts, start) = AsyncStream.makeStream()
    }

    /// In the order of the configuration.
    var current: [UploadLane] { lanes.withLock { $0 } }

    /// Takes other lanes. Those that are not among them end what they do and go; new ones begin.
    func use(_ next: [UploadLane]) {
        let before = lanes.withLock { lanes in
            defer { lanes = next }
            return lanes
        }
        for lane in next where !before.contains(where: { $0 === lane }) {
            let predecessor = before.first { $0.target.name == lane.target.name }
            start.yield(Start(lane: lane, predecessor: predecessor))
        }
        for lane in before where !next.contains(where: { $0 === lane }) { lane.retire() }
    }

    /// Wakes the lanes of these destinations.
    func ring(_ names: Set<String>) {
        for lane in current where names.contains(lane.target.name) { lane.bell.ring() }
    }

    /// No lane begins any more.
    func finish() { start.finish() }
}
