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
    private struct State {
        var lanes: [UploadLane] = []
        /// The newest lane of each name, also one that has gone.
        var newest: [String: UploadLane] = [:]
    }
    private let state = Mutex(State())

    init() {
        // As many as destinations are configured, at a person's pace.
        (starts, start) = AsyncStream.makeStream()
    }

    /// In the order of the configuration.
    var current: [UploadLane] { state.withLock(\.lanes) }

    /// Takes other lanes. Those that are not among them end what they do and go; new ones begin.
    func use(_ next: [UploadLane]) {
        let (before, starts) = state.withLock { state in
            let before = state.lanes
            state.lanes = next
            var starts: [Start] = []
            for lane in next where !before.contains(where: { $0 === lane }) {
                let name = lane.target.name
                starts.append(Start(lane: lane, predecessor: state.newest.updateValue(lane, forKey: name)))
            }
            return (before, starts)
        }
        for one in starts { start.yield(one) }
        for lane in before where !next.contains(where: { $0 === lane }) { lane.retire() }
    }

    /// Wakes the lanes of these destinations.
    func ring(_ names: Set<String>) {
        for lane in current where names.contains(lane.target.name) { lane.bell.ring() }
    }

    /// No lane begins any more.
    func finish() { start.finish() }
}
