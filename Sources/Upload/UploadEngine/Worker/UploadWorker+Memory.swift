import FrameFastModel
import Store

/// The destination's capabilities in the ledger.
extension UploadWorker {
    /// Under this name the ledger keeps a destination's capabilities.
    static func memoryKey(_ name: DestinationName) -> String { "capabilities:\(name)" }

    /// Restores what earlier runs of the service learned, and keeps what this one learns.
    func restoreMemory() async {
        let (ledger, key) = (ledger, Self.memoryKey(target.name))
        let kept = try? await ledger.store.uploadSetting(key)
        target.memory.keep(kept, clock: ledger.clock.now) { capabilities in
            // Only a help for the next start: that finds it out again.
            try? await ledger.store.setUploadSetting(key, capabilities.text)
        }
    }
}
