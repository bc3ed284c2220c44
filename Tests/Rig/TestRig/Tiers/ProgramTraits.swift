public import Testing

/// Runs each case on ``BlockingThreads``, and holds ``ProcessTokens`` for the processes that it starts.
public struct ProgramsTrait: SuiteTrait, TestTrait, TestScoping {
    /// Tokens that a case holds; 0 for a case that only blocks.
    let weight: Int

    /// A suite gives the trait to all of its tests.
    public var isRecursive: Bool { true }

    @TaskLocal private static var holdsTokens = false

    /// Runs a case when its tokens are free. A case with several of these traits holds the largest weight,
    /// once.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard !Self.holdsTokens else { return try await function() }
        let weight = test.traits.compactMap { ($0 as? ProgramsTrait)?.weight }.max() ?? weight
        try await ProcessTokens.shared.holding(weight) {
            try await Self.$holdsTokens.withValue(true) {
                try await withTaskExecutorPreference(BlockingThreads.shared) {
                    try await RunningTests.recording(test) { try await function() }
                }
            }
        }
    }
}

extension Trait where Self == ProgramsTrait {
    /// Runs on threads that may block, see ``BlockingThreads``.
    public static var blocking: Self { ProgramsTrait(weight: 0) }

    /// Runs on threads that may block, and waits for its share of the machine.
    ///
    /// - Parameter weight: Of six tokens for each processor. A daemon with a camera and its worker: 2. A USB
    ///   bed, strace, a storage server or a terminal with a daemon: 3 or 4.
    public static func programs(_ weight: Int = 2) -> Self { ProgramsTrait(weight: weight) }
}
