public import FrameFastModel

/// Another configuration while uploads go on.
extension UploadService {
    /// Takes other destinations, modes and retention. Destinations that stay as they are notice nothing; one that
    /// changed ends what it does, and its jobs go on by the new rules.
    ///
    /// - Parameters:
    ///   - names: The destinations, in order.
    ///   - changed: Those that are new, or other than before.
    public func reconfigure(
        _ names: [DestinationName], changed: [UploadTarget], policy: UploadModePolicy, keep: RetentionRule
    ) async throws {
        var next: [UploadWorker] = []
        for name in names {
            if let target = changed.first(where: { $0.name == name }) {
                next.append(makeWorker(target, try await isPaused(name)))
            } else if let worker = workers.first(where: { $0.target.name == name }) {
                next.append(worker)
            }
        }
        roster.use(next)
        await planner.use(next.map(\.target), configured: policy)
        await retention.use(keep)
        await changedByPerson()
    }

    /// Destinations that do not take photos as things are, and may do better when they are made anew.
    public func unwell() async -> Set<DestinationName> {
        var names: Set<DestinationName> = []
        for worker in workers {
            switch await worker.standing {
            case .refusing, .away: names.insert(worker.target.name)
            case .ready, .paused, .metered, .removed: break
            }
        }
        return names
    }
}
