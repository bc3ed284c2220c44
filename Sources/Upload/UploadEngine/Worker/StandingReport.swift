import Foundation
import FrameFastModel

/// What is said of how a destination stands: each change once. A value; who asks tells the events.
struct StandingReport: Sendable {
    private let name: DestinationName
    private var shown = UploadStanding.ready
    /// Whether the condition says that no connection can be made; `nil` while the destination is not away.
    private var saysUnreachable: Bool?

    /// - Parameter name: The destination's.
    init(of name: DestinationName) { self.name = name }

    /// What is to be told now; nothing as long as it stands as before.
    ///
    /// - Parameter trouble: What happened when it went away or refused.
    mutating func events(_ standing: UploadStanding, _ trouble: UploadTrouble?, at now: Date) -> [UploadEvent]
    {
        guard standing != shown else { return [] }
        let before = shown
        shown = standing
        var events = [UploadEvent.standing(destination: name, standing)]
        let said = saysUnreachable
        let isUnreachable = trouble?.isUnreachable ?? true
        saysUnreachable = standing.isAway ? isUnreachable : nil
        switch standing {
        case .away:
            // Each probe changes the time of the next. The condition changes only if the destination can be reached now, or
            // can't any more.
            guard said != isUnreachable else { break }
            events.append(
                refusal(
                    .warning,
                    isUnreachable
                        ? "The destination \(name) is away"
                        : "The destination \(name) takes no uploads for now", trouble,
                    "Nothing is lost: uploads resume automatically when it is back.", now))
        case .refusing:
            events.append(
                refusal(
                    .danger, "The destination \(name) refuses uploads", trouble,
                    (trouble?.nextStep ?? "Correct what it complains about.")
                        + " Uploads resume automatically; to resume now: 'framefast queue resume \(name)'.",
                    now))
        case .ready, .paused, .metered, .removed:
            events.append(.cleared(.destinationAway, subject: .destination(name)))
        }
        if standing == .metered {
            events.append(
                .raised(
                    Condition(
                        .destinationMetered, since: now, subject: .destination(name),
                        sentence: "Uploads to \(name) wait: the network is metered.",
                        nextStep: "Nothing to do: they resume on an unmetered network.")))
        } else if before == .metered {
            events.append(.cleared(.destinationMetered, subject: .destination(name)))
        }
        return events
    }

    /// Takes back what was said of a destination that is no more.
    var end: [UploadEvent] {
        [
            .cleared(.destinationAway, subject: .destination(name)),
            .cleared(.destinationMetered, subject: .destination(name)),
        ]
    }

    private func refusal(
        _ severity: Condition.Severity, _ sentence: String, _ trouble: UploadTrouble?, _ nextStep: String,
        _ now: Date
    ) -> UploadEvent {
        let reason = trouble.map { ": \($0.sentence)" } ?? "."
        return .raised(
            Condition(
                .destinationAway, severity, since: now, subject: .destination(name),
                sentence: sentence + reason,
                nextStep: nextStep))
    }
}
