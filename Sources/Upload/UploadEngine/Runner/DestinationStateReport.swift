import Foundation
import FrameFastModel

/// A value that converts changes of a destination's state to events and conditions. Each change returns its
/// events once. The caller sends the events.
struct DestinationStateReport: Sendable {
    private let name: DestinationName
    private var shown = DestinationState.ready
    /// Whether the raised condition reports an unreachable destination, or `nil` if the destination is not
    /// away.
    private var saysUnreachable: Bool?

    /// - Parameter name: The destination's name.
    init(of name: DestinationName) { self.name = name }

    /// Returns the events for a new state, or an empty array if the state did not change.
    ///
    /// - Parameter failure: The failure that stopped or slowed down uploads, or `nil` if the destination
    ///   works.
    mutating func events(_ state: DestinationState, _ failure: DestinationFailure?, at now: Date)
        -> [UploadEvent]
    {
        guard state != shown else { return [] }
        let before = shown
        shown = state
        var events = [UploadEvent.state(destination: name, state)]
        let saidUnreachable = saysUnreachable
        let isUnreachable = failure?.isUnreachable ?? true
        saysUnreachable = state.isAway ? isUnreachable : nil
        switch state {
        case .away:
            // Each probe changes the time of the next probe. The condition changes only if the destination
            // becomes reachable or unreachable.
            guard saidUnreachable != isUnreachable else { break }
            events.append(
                refusal(
                    .warning,
                    isUnreachable
                        ? "The destination \(name) is unavailable"
                        : "The destination \(name) does not accept uploads right now", failure,
                    "No photo is lost. Uploads resume automatically when the destination accepts them.", now))
        case .refusing:
            events.append(
                refusal(
                    .danger, "The destination \(name) refuses uploads", failure,
                    (failure?.nextStep ?? "Fix the reported problem.")
                        + " Uploads resume automatically; to resume now: 'framefast queue resume \(name)'.",
                    now))
        case .ready, .paused, .metered, .removed:
            events.append(.cleared(.destinationAway, subject: .destination(name)))
        }
        if state == .metered {
            events.append(
                .raised(
                    Condition(
                        .destinationMetered, since: now, subject: .destination(name),
                        sentence: "Uploads to \(name) wait: the network is metered.",
                        nextStep: "No action is needed: uploads resume on an unmetered network.")))
        } else if before == .metered {
            events.append(.cleared(.destinationMetered, subject: .destination(name)))
        }
        return events
    }

    /// The events that clear all conditions of a destination that was removed from the configuration.
    var clearedEvents: [UploadEvent] {
        [
            .cleared(.destinationAway, subject: .destination(name)),
            .cleared(.destinationMetered, subject: .destination(name)),
        ]
    }

    private func refusal(
        _ severity: Condition.Severity, _ sentence: String, _ failure: DestinationFailure?,
        _ nextStep: String,
        _ now: Date
    ) -> UploadEvent {
        let reason = failure.map { ": \($0.sentence)" } ?? "."
        return .raised(
            Condition(
                .destinationAway, severity, since: now, subject: .destination(name),
                sentence: sentence + reason,
                nextStep: nextStep))
    }
}
