import TestRig
import Testing

/// Tests that wait for a program in system calls.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Runs on threads of its own, see ``BlockingThreads``.
    static var blocking: BlockingTrait { BlockingTrait() }
}
