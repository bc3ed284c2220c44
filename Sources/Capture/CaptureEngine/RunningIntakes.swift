import FrameFastModel
import FrameFastSystem
import Synchronization

/// The running intakes, by body.
///
/// The start of an intake and the deletion of records are mutually exclusive. Otherwise, a record could be
/// deleted after a new connection has listed the photo. The photo would be missing until the next connection.
final class RunningIntakes: Sendable {
    private let intakes = Mutex<[BodyID: Intake]>([:])
    private let starts = AsyncSemaphore(permits: 1)

    /// All running intakes.
    var all: [Intake] { intakes.withLock { Array($0.values) } }

    /// Returns the intake of a body, or `nil` if its camera is not connected.
    subscript(body: BodyID) -> Intake? { intakes.withLock { $0[body] } }

    /// Adds an intake that is about to run. Waits while records are being deleted.
    ///
    /// - Returns: `false` if the task was cancelled before the intake was added.
    func start(_ intake: Intake, of body: BodyID) async -> Bool {
        let added: Void? = await starts.withPermit { intakes.withLock { $0[body] = intake } }
        return added != nil
    }

    /// Removes the intake of a body whose connection has ended.
    func removeIntake(of body: BodyID) { intakes.withLock { $0[body] = nil } }

    /// Deletes records while no intake starts.
    ///
    /// - Returns: The result of `deletion`, or `nil` if the task was cancelled before the deletion.
    func withoutStarts<Result, Failure>(
        isolation: isolated (any Actor)? = #isolation, _ deletion: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result? {
        try await starts.withPermit(isolation: isolation, deletion)
    }
}
