import Logging

/// A log message about the risk of a user-defined name template at a destination. The message is written
/// once.
actor TakenNameNotice {
    private var isLogged = false

    /// Logs the message if the destination replaces existing files. If the behavior is still unknown, a later
    /// call tries again.
    func logOnce(for target: UploadTarget, _ logger: Logger) async {
        guard target.isNameChosen, !isLogged, let replaces = await target.destination.replacesTakenNames(),
            !isLogged
        else { return }
        isLogged = true
        guard replaces else { return }
        logger.notice(
            "files with the same name may be replaced",
            metadata: ["destination": "\(target.name)", "reason": "\(TakenNameAdvice.sentence)"])
    }
}
