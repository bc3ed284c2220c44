import FrameFastAPI
import Store
import UploadEngine

/// Translates errors of the ledger and the upload service for the API.
extension LedgerStore {
    /// Runs a ledger operation and maps its errors to internal errors, because a failing ledger is never the
    /// caller's fault.
    func mapErrors<Value: Sendable>(
        _ body: @Sendable (LedgerStore) async throws -> Value
    ) async throws(ControlError) -> Value {
        do { return try await body(self) } catch {
            throw ControlError(
                .internal, "cannot read the ledger: \(error)", nextStep: "Check the service's log.")
        }
    }
}

extension UploadService {
    /// Runs an operation of the upload queue and maps its errors.
    ///
    /// A mistake of the caller keeps its own message and next step. Every other error is an internal error.
    func mapErrors<Value: Sendable>(
        _ body: @Sendable (UploadService) async throws -> Value
    ) async throws(ControlError) -> Value {
        do { return try await body(self) } catch { throw ControlError(uploadError: error) }
    }
}

extension ControlError {
    /// Creates the error for a request that the upload queue refused.
    init(uploadError error: any Error) {
        guard let error = error as? UploadService.VerbError else {
            self.init(.internal, "cannot read the queue: \(error)", nextStep: "Check the service's log.")
            return
        }
        switch error {
        case .noSuchDestination:
            self.init(
                .notFound, error.description,
                nextStep:
                    "See their names with 'framefast destinations'. To use a destination that you just added to the "
                    + "configuration, run 'sudo systemctl reload framefastd'. A new 'credential:NAME' "
                    + "needs a restart.")
        case .noSuchSession:
            self.init(.notFound, error.description, nextStep: "See 'framefast session list'.")
        case .cannotBeSent(let photos):
            let numbers = photos.map { "\($0.id)" }.joined(separator: ", ")
            self.init(
                .invalid, error.description,
                nextStep: photos.count == 1
                    ? "Nothing was added. Replace the file with an intact file, or omit \(numbers)."
                    : "Nothing was added. Replace the files with intact files, or omit these photos: \(numbers)."
            )
        }
    }
}
