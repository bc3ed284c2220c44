import Testing

@testable import FrameFastSystem

/// Sleeps that are ended early as a rule.
struct SleepInPiecesTests {
    @Test func `it sleeps all of its time, however small the pieces`() async throws {
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(45), piece: .milliseconds(10))
        #expect(start.duration(to: .now) >= .milliseconds(45))
    }

    @Test func `no time, and a time that is over, is no sleep`() async throws {
        try await Task.sleepInPieces(for: .zero)
        try await Task.sleepInPieces(for: .seconds(-1))
    }

    @Test(arguments: [Duration.milliseconds(10), .seconds(3600)])
    func `it ends at once when it is cancelled, in the first piece or a later one`(piece: Duration) async {
        let sleeper = Task { try await Task.sleep(for: .seconds(3600), piece: piece) }
        try? await Task.sleep(for: .milliseconds(25))
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
