public import Testing

/// A trait that runs each case on ``BlockingThreads`` and holds ``ProcessTokens`` for the processes of the
/// case.
public struct ProgramsTrait: SuiteTrait, TestTrait, TestScoping {
    /// The number of tokens that a case holds; 0 for a case that blocks and starts no process.
    let weight: Int

    /// A suite gives the trait to all of its tests.
    public var isRecursive: Bool { true }

    @TaskLocal private static var holdsTokens = false

    /// Runs a case when its tokens are free. A case with several of these traits holds the tokens of the
    /// largest weight only.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard !Self.holdsTokens else { return try await function() }
        let weight = test.traits.compactMap { ($0 as? ProgramsTrait)?.weight }.max() ?? weight
        try await ProcessTokens.shared.holding(weight) {
            try await Self.$holdsTokens.withValue(true) {
                try await withTaskExecutorPreference(BlockingThreads.shared) {
                    try await RunningTests.recording(test) {
                        try await UnauditedServices.check { try await function() }
                    }
                }
            }
        }
    }
}

extension Trait where Self == ProgramsTrait {
    /// Runs the test on threads that may block; see ``BlockingThreads``.
    public static var blocking: Self { ProgramsTrait(weight: 0) }

    /// Runs the test on threads that may block, after its tokens are free.
    ///
    /// - Parameter weight: The number of tokens. There are nine tokens for each processor. Use 2 for a daemon
    ///   with a camera and its worker. Use 3 or 4 for a USB bed, strace, a storage server, or a terminal with
    ///   a daemon.
    public static func programs(_ weight: Int = 2) -> Self { ProgramsTrait(weight: weight) }
}
