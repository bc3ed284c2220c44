import Foundation
import TestRig
import Testing

/// A randomized test: random sequences of studio events, followed by a check of every photo.
///
/// A cast is a random choice of two stations and their cameras. `scripts/test --soak MINUTES` runs for
/// longer. A failure prints the seed of its cast and the steps. With `FRAMEFAST_TEST_SEED`, that cast is the
/// first of a run and takes the same steps. The timing of the steps differs.
@Suite(.serialized, .programs(4)) struct CampaignTests {
    /// The length of the run in minutes, or `nil` for the default length.
    static let soakMinutes = ProcessInfo.processInfo.environment["FRAMEFAST_SOAK_MINUTES"].flatMap(
        Double.init)
    /// The number of steps per cast. It is large enough for coinciding faults and small enough to analyze a
    /// failure.
    static let stepsPerCast = Tier.isNight || soakMinutes != nil ? 60 : 30
    /// The minimum number of photos per cast. The number of photos is usually similar to the number of steps.
    static let photosMin = stepsPerCast / 2
    /// The number of casts in a run of the default length.
    static let casts = Tier.isNight ? 2 : 1
    /// The seed of a run of the default length.
    static let usualSeed: UInt64 = 2
    /// The longest pause between two steps, in milliseconds. The pause is shorter than the start of a
    /// connection. Faults can therefore coincide.
    static let pauseMaxMs = 150

    @Test func `saves and delivers or reports every photo once despite random faults`() async throws {
        // A run of the default length takes the same steps each time.
        var seeds = Self.soakMinutes == nil ? SeededRandom(otherwise: Self.usualSeed) : SeededRandom()
        let began = ContinuousClock.now
        var (faults, photos, cast) = (0, 0, 0)
        while Self.soakMinutes.map({ began.duration(to: .now) < .seconds($0 * 60) }) ?? (cast < Self.casts) {
            // Each cast has its own seed, and the first cast has the run's seed. Any cast can therefore be
            // repeated alone.
            var random = SeededRandom(seed: cast == 0 ? seeds.seed : seeds.next())
            cast += 1
            let world = try await CampaignWorld(CampaignCast(using: &random))
            do {
                for _ in 0..<Self.stepsPerCast {
                    try await world.perform(.random(world.cast, using: &random), using: &random)
                    try await world.pause(upTo: Self.pauseMaxMs, using: &random)
                }
                try await world.recover()
                // Cameras may refuse some shots. A cast whose cameras refuse all shots would prove nothing.
                #expect(
                    world.photos >= Self.photosMin, "\(Self.report(world, random.seed, cast))")
                let wrong = try world.violations()
                #expect(wrong == [], "\(Self.report(world, random.seed, cast))")
                #expect(try await world.stop() == [0, 0])
            } catch {
                Issue.record("\(error)\n\(Self.report(world, random.seed, cast))")
            }
            faults += world.faults
            photos += world.photos
        }
        print(
            "CampaignTests: seed \(seeds.seed) (FRAMEFAST_TEST_SEED repeats it), \(cast) casts, \(faults) faults, "
                + "\(photos) photos, \(began.duration(to: .now))")
    }

    private static func report(_ world: CampaignWorld, _ seed: UInt64, _ cast: Int) -> String {
        "seed \(seed), cast \(cast) (\(world.cast)):\n"
            + world.history.map { "  \($0)" }.joined(separator: "\n")
    }
}
