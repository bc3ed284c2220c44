import Foundation
import TestRig
import Testing

/// What nobody thought of: random sequences of everything that can happen in a studio, and one question at the end.
///
/// `scripts/test --soak MINUTES` goes on for longer. A failure prints the cast's seed and what happened; with
/// `FRAMEFAST_TEST_SEED` it is the first cast of a run, which takes the same steps, at other moments.
@Suite(.serialized, .programs(4)) struct CampaignTests {
    /// Minutes that were asked for.
    static let soakMinutes = ProcessInfo.processInfo.environment["FRAMEFAST_SOAK_MINUTES"].flatMap(
        Double.init)
    /// Steps of one cast: enough for faults to meet, few enough to be read when something is wrong.
    static let stepsPerCast = Tier.isNight || soakMinutes != nil ? 60 : 30
    /// Photos of one cast at least: usually there are about as many as steps.
    static let photosMin = stepsPerCast / 2
    /// Casts in a run that nobody asked to be longer.
    static let casts = Tier.isNight ? 2 : 1
    /// Seed of such a run.
    static let usualSeed: UInt64 = 2
    /// Longest time between two steps, in milliseconds: shorter than a session needs to begin, so that faults meet.
    static let pauseMaxMs = 150

    @Test func `every photo is there once and delivered once, or told of, whatever happens`() async throws {
        // A run that nobody asked to be longer takes the same steps each time.
        var seeds = Self.soakMinutes == nil ? SeededRandom(otherwise: Self.usualSeed) : SeededRandom()
        let began = ContinuousClock.now
        var (faults, photos, cast) = (0, 0, 0)
        while Self.soakMinutes.map({ began.duration(to: .now) < .seconds($0 * 60) }) ?? (cast < Self.casts) {
            // Each cast has a seed of its own, and the first one that of the run: any can be repeated alone.
            var random = SeededRandom(seed: cast == 0 ? seeds.seed : seeds.next())
            cast += 1
            let world = try await CampaignWorld(CampaignCast(using: &random))
            do {
                for _ in 0..<Self.stepsPerCast {
                    try await world.perform(.random(world.cast, using: &random), using: &random)
                    try await world.pause(upTo: Self.pauseMaxMs, using: &random)
                }
                try await world.calm()
                // Cameras may refuse now and then, and a cast in which they always do would prove nothing.
                #expect(
                    world.photos >= Self.photosMin, "\(Self.report(world, random.seed, cast))")
                let wrong = try world.wrongs()
                #expect(wrong == [], "\(Self.report(world, random.seed, cast))")
                #expect(try await world.end() == [0, 0])
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
