import Foundation

/// A repeatable random number generator: SplitMix64 (Steele, Lea, Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The seed of the sequence. Each failure of a test with random numbers reports the seed; see ``note``.
    public let seed: UInt64
    private var state: UInt64

    /// The default seed.
    private static let usualSeed: UInt64 = 1

    /// Creates a generator with the seed in `FRAMEFAST_TEST_SEED`.
    ///
    /// - Parameter usual: The seed if the variable is not set.
    public init(otherwise usual: UInt64? = nil) {
        let given = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_SEED"].flatMap { UInt64($0) }
        seed = given ?? usual ?? Self.usualSeed
        state = seed
    }

    /// The seed as text, for failure messages.
    public var note: String { "seed \(seed) (FRAMEFAST_TEST_SEED=\(seed) repeats it)" }

    /// Creates a generator with this seed, for one of several sequences in a test.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
