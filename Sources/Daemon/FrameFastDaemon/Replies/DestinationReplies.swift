import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import SettingKeys
import Store
import UploadEngine

/// Creates API replies from the statistics of destinations.
struct DestinationReplies: Sendable {
    let configuration: CurrentValue<Configuration>
    private let stateDates: DestinationStateDates

    init(configuration: CurrentValue<Configuration>, clock: HostClock) {
        self.configuration = configuration
        stateDates = DestinationStateDates(clock: clock)
    }

    func reply(_ statistics: UploadStatistics) -> DestinationReply {
        let configured = configuration.now.destinations.first { $0.id == statistics.destination }
        let (state, breaker) = DestinationReply.states(statistics.state)
        let since = stateDates.date(of: state, for: statistics.destination)
        return DestinationReply(
            name: statistics.destination,
            kind: configured.flatMap { DestinationProtocol(rawValue: $0.kindOnWire) },
            location: configured?.location ?? "", state: state, breaker: breaker,
            since: since,
            statistics: UploadStatisticsReply(statistics.counts, statistics.running),
            bytesPerSecond: Int64(statistics.bytesPerSecond),
            lastError: lastError(statistics, since: since),
            refusedFeatures: statistics.features.filter(\.isRefused).map(DestinationFeatureReply.init),
            leftovers: statistics.leftovers.count, leftoverBytes: Int64(clamping: statistics.leftovers.bytes))
    }

    private func lastError(_ statistics: UploadStatistics, since: Date) -> UploadErrorReply? {
        if statistics.state == .removed {
            return UploadErrorReply(
                at: since, sentence: RemovedDestination.sentence,
                nextStep: RemovedDestination.nextStep(statistics.destination))
        }
        return statistics.lastFailure.map {
            UploadErrorReply(at: $0.at, sentence: $0.sentence, nextStep: $0.nextStep)
        }
    }
}

extension DestinationFeatureReply {
    init(_ feature: FeatureState) {
        let state: State =
            switch feature.observation?.isOffered {
            case true?: .offered
            case false?: .refused
            case nil: .unknown
            }
        self.init(
            feature: feature.feature.rawValue, title: feature.feature.title, state: state,
            fallback: feature.fallback, reason: feature.observation?.reason,
            since: feature.observation?.learnedAt)
    }
}

extension DestinationReply {
    /// Returns the state of a destination and of its circuit breaker.
    static func states(_ state: DestinationState) -> (
        DestinationReply.State, DestinationReply.Breaker
    ) {
        switch state {
        case .ready: (.ready, .closed)
        case .paused: (.paused, .closed)
        case .metered: (.metered, .closed)
        case .away(nextTry: nil): (.away, .halfOpen)
        case .away: (.away, .open)
        case .refusing: (.refusing, .open)
        case .removed: (.removed, .closed)
        }
    }
}

extension UploadStatisticsReply {
    init(_ counts: UploadCounts, _ running: [UploadJob] = []) {
        let verifying = running.count { $0.state == .verifying }
        self.init(
            held: counts[.held].jobs, queued: counts[.queued].jobs,
            uploading: max(counts[.uploading].jobs - verifying, 0), verifying: verifying,
            delivered: counts[.delivered].jobs, retrying: counts[.retrying].jobs,
            failed: counts[.failed].jobs)
    }

    /// Creates the totals of all configured destinations.
    init(_ all: [UploadStatistics]) {
        self.init()
        for statistics in all where statistics.state != .removed {
            let one = UploadStatisticsReply(statistics.counts, statistics.running)
            held += one.held
            queued += one.queued
            uploading += one.uploading
            verifying += one.verifying
            delivered += one.delivered
            retrying += one.retrying
            failed += one.failed
        }
    }
}
