public import FrameFastModel

/// Reloads of the configuration during uploads.
extension UploadService {
    /// Applies new destinations, modes and retention rules. Unchanged destinations continue without
    /// interruption. The running uploads of a changed destination finish within a few seconds or are stopped,
    /// and its jobs continue with the new settings.
    ///
    /// - Parameters:
    ///   - names: The names of all destinations, in the order of the configuration.
    ///   - changed: The destinations that are new or changed.
    public func reconfigure(
        _ names: [DestinationName], changed: [UploadTarget], policy: UploadModePolicy, keep: RetentionRule
    ) async throws {
        var next: [DestinationRunner] = []
        for name in names {
            if let target = changed.first(where: { $0.name == name }) {
                next.append(makeRunner(target, try await isPaused(name)))
            } else if let runner = runners.first(where: { $0.target.name == name }) {
                next.append(runner)
            }
        }
        roster.replaceAll(with: next)
        await planner.reconfigure(next.map(\.target), configured: policy)
        await retention.setRule(keep)
        await wakeAfterUserChange()
    }

    /// Returns the destinations that accept no uploads now. Such a destination may work after the service
    /// creates the destination again.
    public func failingDestinations() async -> Set<DestinationName> {
        var names: Set<DestinationName> = []
        for runner in runners {
            switch await runner.state {
            case .refusing, .away: names.insert(runner.target.name)
            case .ready, .paused, .metered, .removed: break
            }
        }
        return names
    }
}
