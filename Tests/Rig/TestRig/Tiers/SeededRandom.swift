import Foundation

/// Random numbers that can be had again: SplitMix64 (Steele, Lea, Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What it started from; print it, so that a failure can be repeated.
    public let seed: UInt64
    private var state: UInt64

    /// Takes the seed from `FRAMEFAST_TEST_SEED`, else the one given, else a new one.
    public init(otherwise usual: UInt64? = nil) {
        let given = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_SEED"].flatMap { UInt64($0) }
        seed = given ?? usual ?? UInt64.random(in: 1...999_999_999)
        state = seed
    }

    /// Takes this seed, whatever was given: for one of several sequences.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
