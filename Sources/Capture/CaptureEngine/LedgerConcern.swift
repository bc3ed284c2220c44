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
                "Make room on the disk that holds the state directory, or mend it: FrameFast goes on by itself. "
                + "Photos stay on the cards until then.")
    }

    /// A change was written.
    func works() { health.clear(.ledgerFailing) }
}
