import Logging

/// Says once in the log what a template of one's own cannot promise at a destination.
actor TakenNameNotice {
    private var isGiven = false

    /// Asks the destination, as long as it does not know.
    func give(for target: UploadTarget, _ logger: Logger) async {
        guard target.isNameChosen, !isGiven, let replaces = await target.destination.replacesTakenNames(),
            !isGiven
        else { return }
        isGiven = true
        guard replaces else { return }
        logger.notice(
            "names may be replaced",
            metadata: ["destination": "\(target.name)", "reason": "\(TakenNameAdvice.sentence)"])
    }
}
