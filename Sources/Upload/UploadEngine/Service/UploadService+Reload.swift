public import FrameFastModel

/// Reloading the configuration while uploads run.
extension UploadService {
    /// Applies new destinations, modes and retention. Unchanged destinations continue without interruption. A
    /// changed destination stops its running uploads, and its jobs continue with the new settings.
    ///
    /// - Parameters:
    ///   - names: The names of all destinations, in order.
    ///   - changed: The destinations that are new or changed.
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

    /// Returns the destinations that accept no uploads now, and that may work if they are created again.
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
