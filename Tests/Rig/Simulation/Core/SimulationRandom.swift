/// A repeatable random number generator: SplitMix64 (Steele, Lea, Flood 2014).
struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number in a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns `true` with this probability, in percent.
    mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    /// Returns a random element of a list, which must not be empty.
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...(values.count - 1))] }
}
