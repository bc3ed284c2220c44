import Cameras
import FrameFastModel

/// Says when the ledger cannot be written, and when it can again.
struct LedgerConcern: Sendable {
    let health: HealthBoard

    /// A change was refused.
    func failed(_ error: any Error) {
        health.raise(
            .ledgerFailing, sentence: "The ledger cannot be written: \(error).",
            nextStep:
                "Free some space on the disk that holds the state directory, or repair it: FrameFast continues automatically. "
                + "Photos stay on the cards until then.")
    }

    /// A change was written.
    func works() { health.clear(.ledgerFailing) }
}
