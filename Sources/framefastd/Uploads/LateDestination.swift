import Logging
import Synchronization
import UploadEngine

/// A destination that cannot be set up, because a file with its password cannot be read: its photos wait, everything
/// else goes on, and it is set up as soon as it can be.
final class LateDestination: UploadDestination {
    private let make: @Sendable () throws -> any UploadDestination
    private let made = Mutex<(any UploadDestination)?>(nil)

    init(_ make: @escaping @Sendable () throws -> any UploadDestination) { self.make = make }

    private func place() throws(UploadFailure) -> any UploadDestination {
        if let place = made.withLock({ $0 }) { return place }
        let new: any UploadDestination
        do { new = try make() } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "Its secret cannot be read: \(error).",
                nextStep: "Mend that: uploads go on by themselves.")
        }
        return made.withLock { made in
            made = made ?? new
            return made ?? new
        }
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt { try await place().upload(item, progress: progress) }

    func probe() async throws(UploadFailure) { try await place().probe() }

    func test() async throws(UploadFailure) { try await place().test() }

    func adopt() async throws(UploadFailure) { try await place().adopt() }

    func close() async { await made.withLock({ $0 })?.close() }
}

extension Configuration.Destination {
    /// The place, or one that will be it as soon as its secrets can be read.
    func placeOrLate(stateDirectory: String, workers: Int, logger: Logger) -> any UploadDestination {
        let make: @Sendable () throws -> any UploadDestination = {
            try place(stateDirectory: stateDirectory, workers: workers, logger: logger)
        }
        return (try? make()) ?? LateDestination(make)
    }
}
