import Cameras
import FrameFastModel
import Store

/// The condition that the ledger cannot be written.
struct LedgerCondition: Sendable {
    let conditionBoard: ConditionBoard

    /// Raises the condition after a failed write.
    func raise(_ error: any Error) {
        guard !LedgerStore.isDamaged(error) else {
            return conditionBoard.raise(
                .ledgerFailing, sentence: "The ledger is damaged: \(error).",
                nextStep:
                    "Restart the service ('sudo systemctl restart framefastd'): it moves the damaged file aside and starts a "
                    + "new one with the data that is still readable. Photos stay on the cards until then.")
        }
        conditionBoard.raise(
            .ledgerFailing, sentence: "The ledger cannot be written: \(error).",
            nextStep:
                "Free some space on the disk that holds the state directory, or repair the disk. FrameFast then continues automatically. "
                + "Photos stay on the cards until then.")
    }

    /// Clears the condition after a successful write.
    func clear() { conditionBoard.clear(.ledgerFailing) }
}
