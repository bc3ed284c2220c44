import Cameras
import FrameFastModel
import Synchronization
import Testing

@testable import CaptureEngine

/// A proof that the next step of a condition works. The engine raises the condition, the test follows the
/// next step, and the engine ends the condition.
struct NextStepProof: Sendable {
    typealias Check = @Sendable () async throws -> Bool

    let camera: ScriptedCamera
    let kind: ConditionKind
    /// A part of the next step's text.
    let advice: String
    /// The number of saved photos at the end.
    let photos: Int

    init(_ camera: ScriptedCamera, _ kind: ConditionKind, _ advice: String, photos: Int = 1) {
        self.camera = camera
        self.kind = kind
        self.advice = advice
        self.photos = photos
    }

    /// Follows the next step during the connection.
    ///
    /// - Parameters:
    ///   - isReady: Returns whether the test may follow the next step now.
    ///   - follow: Does what the next step says.
    func run(
        when isReady: @escaping Check = { true }, follow: @escaping @Sendable () throws -> Void
    ) async throws {
        let raised = Mutex<Condition?>(nil)
        try await camera.serve {
            if raised.withLock(\.self) == nil {
                guard try await isReady(), let condition = camera.conditionBoard.current.first else {
                    return false
                }
                raised.withLock { $0 = condition }
                check(condition)
                try follow()
            }
            return try await hasEnded()
        }
    }

    /// Follows a next step that requires a reconnection of the camera.
    ///
    /// - Parameters:
    ///   - isReady: Returns whether the test may follow the next step now.
    ///   - facts: The facts that the camera reports after the reconnection, or `nil` for the same facts.
    ///   - follow: Does what the next step says before the reconnection.
    func runReconnecting(
        when isReady: @escaping Check = { true }, with facts: CameraFacts? = nil,
        follow: @escaping @Sendable () async throws -> Void = {}
    ) async throws {
        try await camera.serve(
            until: {
                guard try await isReady(), let condition = camera.conditionBoard.current.first else {
                    return false
                }
                check(condition)
                try await follow()
                return true
            }, then: [.init(facts: facts) { try await hasEnded() }])
    }

    private func check(_ condition: Condition) {
        #expect(camera.conditionBoard.current.map(\.kind) == [kind])
        #expect(condition.nextStep.contains(advice), "\(condition.nextStep)")
    }

    /// Returns whether all conditions have ended and every photo is saved.
    private func hasEnded() async throws -> Bool {
        guard camera.conditionBoard.current.isEmpty else { return false }
        return try await camera.records().map(\.state) == Array(repeating: .saved, count: photos)
    }
}
