import FrameFastAPI
import Store
import UploadEngine

/// What goes wrong behind a handler, as the socket tells it.
extension LedgerStore {
    /// Asks the ledger; what goes wrong there is the service's fault, not the caller's.
    func asking<Value: Sendable>(
        _ body: @Sendable (LedgerStore) async throws -> Value
    ) async throws(ControlError) -> Value {
        do { return try await body(self) } catch {
            throw ControlError(
                .internal, "cannot read the ledger: \(error)", nextStep: "Check the service's log.")
        }
    }
}

extension UploadService {
    /// Asks the queue; what a person got wrong is told as that, the rest is the service's fault.
    func asking<Value: Sendable>(
        _ body: @Sendable (UploadService) async throws -> Value
    ) async throws(ControlError) -> Value {
        do { return try await body(self) } catch { throw ControlError(ofQueue: error) }
    }
}

extension ControlError {
    /// Why the upload queue refused.
    init(ofQueue error: any Error) {
        guard let error = error as? UploadService.VerbError else {
            self.init(.internal, "cannot read the queue: \(error)", nextStep: "Check the service's log.")
            return
        }
        switch error {
        case .noSuchDestination:
            self.init(
                .notFound, error.description,
                nextStep: "See their names with 'framefast destinations'. One that was just added to the "
                    + "configuration is there after 'sudo systemctl reload framefastd'. A new 'credential:NAME' "
                    + "needs a restart.")
        case .noSuchSession:
            self.init(.notFound, error.description, nextStep: "See 'framefast session list'.")
        case .cannotBeSent(let photos):
            let numbers = photos.map { "\($0.id)" }.joined(separator: ", ")
            self.init(
                .invalid, error.description,
                nextStep: photos.count == 1
                    ? "Nothing was added. Put a whole file in its place, or leave \(numbers) out."
                    : "Nothing was added. Put whole files in their places, or leave these photos out: \(numbers)."
            )
        }
    }
}
