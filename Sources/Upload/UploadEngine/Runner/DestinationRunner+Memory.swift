import FrameFastModel
import FrameFastSystem
import Store

/// The stored capabilities of the destination.
extension DestinationRunner {
    /// Returns the ledger key of a destination's capabilities.
    static func memoryKey(_ name: DestinationName) -> String { "capabilities:\(name)" }

    /// Restores the capabilities of earlier runs, and saves later changes.
    func restoreMemory() async {
        let (ledger, key) = (ledger, Self.memoryKey(target.name))
        let stored = try? await ledger.store.uploadSetting(key)
        target.memory.restore(stored, clock: ledger.clock.now) { capabilities in
            // A failed save is harmless: after a restart, uploads observe the feature again.
            try? await ledger.store.setUploadSetting(key, capabilities.text)
        }
    }
}
