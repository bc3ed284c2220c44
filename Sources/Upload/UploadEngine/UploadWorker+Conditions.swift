import FrameFastModel

/// What a worker says of its destination.
extension UploadWorker {
    /// Says how the destination stands, once, when that changed.
    func showStanding() {
        guard standing != shownStanding else { return }
        let before = shownStanding
        shownStanding = standing
        ledger.tell(.standing(destination: target.name, standing))
        switch standing {
        case .away(_) where before.isAway:
            // Each probe changes the time of the next; the condition stays the same.
            break
        case .away:
            raiseAway(
                "The destination \(target.name) is away",
                "Nothing is lost: uploads resume automatically when it is back.")
        case .refusing:
            raiseAway(
                "The destination \(target.name) refuses uploads",
                (history.trouble?.nextStep ?? "Correct what it complains about.")
                    + " Uploads resume automatically; to resume now: 'framefast queue resume \(target.name)'."
            )
        case .ready, .paused, .metered, .removed:
            ledger.tell(.cleared(.destinationAway, subject: .destination(target.name)))
        }
        if standing == .metered {
            ledger.tell(
                .raised(
                    Condition(
                        .destinationMetered, since: clock.now(),
                        subject: .destination(target.name),
                        sentence: "Uploads to \(target.name) wait: the network is metered.",
                        nextStep: "Nothing to do: they resume on an unmetered network.")))
        } else if before == .metered {
            ledger.tell(.cleared(.destinationMetered, subject: .destination(target.name)))
        }
    }

    /// Takes back what was said of a destination that is no more.
    func clearConditions() {
        for kind in [ConditionKind.destinationAway, .destinationMetered] {
            ledger.tell(.cleared(kind, subject: .destination(target.name)))
        }
    }

    private func raiseAway(_ sentence: String, _ nextStep: String) {
        let reason = history.trouble.map { ": \($0.sentence)" } ?? "."
        ledger.tell(
            .raised(
                Condition(
                    .destinationAway, standing == .refusing ? .danger : .warning,
                    since: clock.now(), subject: .destination(target.name), sentence: sentence + reason,
                    nextStep: nextStep)
            ))
    }
}
