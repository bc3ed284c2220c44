import APIServer
import Cameras
import FrameFastModel
import FrameFastSystem
import Logging
import Store

extension WebAccess {
    /// Creates a registry of the web page's devices that stores the devices in the ledger.
    static func stored(
        in ledger: LedgerStore, conditionBoard: ConditionBoard, clock: HostClock, logger: Logger
    ) async throws -> WebAccess {
        let storage = Storage(
            load: { try await ledger.webDevices() }, add: { try await ledger.addWebDevice($0) },
            update: { try await ledger.updateWebDevice($0) },
            remove: { try await ledger.removeWebDevices($0) })
        let access = WebAccess(storage: storage, clock: clock, logger: logger) { isVoided in
            guard isVoided else { return conditionBoard.clear(.webCodesVoided) }
            conditionBoard.raise(
                .webCodesVoided,
                sentence: "Too many wrong codes were tried on the web page. All open codes are void.",
                nextStep:
                    "Check which devices are in the network, then open a new code with 'framefast web pair'.")
        }
        try await access.load()
        return access
    }
}

extension ConditionBoard {
    /// Raises the condition of a web page without TLS, if the configuration has such a page.
    func recordWebReachability(_ reachability: WebReachability) {
        guard reachability.isUnencrypted else { return }
        raise(.webUnencrypted, sentence: reachability.sentence, nextStep: WebReachability.encryptionStep)
    }
}
