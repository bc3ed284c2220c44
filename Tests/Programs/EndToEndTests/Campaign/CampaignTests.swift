import Foundation
import TestRig
import Testing

/// A randomized test: random sequences of studio events, followed by a check of every photo.
///
/// Each campaign chooses the cameras of two stations at random. `scripts/test --soak MINUTES` runs campaigns
/// for longer. A failure prints the seed of its campaign and the steps. With `FRAMEFAST_TEST_SEED`, that
/// campaign is the first of a run and takes the same steps. The timing of the steps differs.
@Suite(
    .serialized, .programs(4),
    .enabled(if: SmallDisk.isPossible, "mounting needs root and the right to mount"))
struct CampaignTests {
    /// The length of the run in minutes, or `nil` for the default length.
    static let soakMinutes = ProcessInfo.processInfo.environment["FRAMEFAST_SOAK_MINUTES"].flatMap(
        Double.init)
    /// The number of steps per campaign: large enough for coinciding faults, and small enough to analyze a
    /// failure.
    static let stepsPerCampaign = Tier.isNight || soakMinutes != nil ? 60 : 30
    /// The minimum number of photos per campaign. The number of photos is usually similar to the number of
    /// steps.
    static let photosMin = stepsPerCampaign / 2
    /// The number of campaigns in a run of the default length.
    static let campaigns = Tier.isNight ? 2 : 1
    /// The seed of a run of the default length.
    static let usualSeed: UInt64 = 2
    /// The longest pause between two steps, in milliseconds. The pause is shorter than the start of a
    /// connection. Faults can therefore coincide.
    static let pauseMaxMs = 150

    @Test func `saves and delivers each photo once, or reports it, despite random faults`() async throws {
        // A run of the default length takes the same steps each time.
        var seeds = Self.soakMinutes == nil ? SeededRandom(otherwise: Self.usualSeed) : SeededRandom()
        let began = ContinuousClock.now
        var (faults, photos, campaign) = (0, 0, 0)
        while Self.soakMinutes.map({ began.duration(to: .now) < .seconds($0 * 60) })
            ?? (campaign < Self.campaigns)
        {
            // The first campaign has the run's seed, and each further campaign has its own seed. Therefore,
            // any campaign can be repeated alone.
            var random = SeededRandom(seed: campaign == 0 ? seeds.seed : seeds.next())
            campaign += 1
            let run = try await CampaignRun(CampaignSetup(using: &random))
            do {
                for _ in 0..<Self.stepsPerCampaign {
                    try await run.perform(.random(run.setup, using: &random), using: &random)
                    try await run.pause(upTo: Self.pauseMaxMs, using: &random)
                }
                try await run.recover()
                // Cameras may refuse some shots. A campaign whose cameras refuse all shots would
                // prove nothing.
                #expect(
                    run.photos >= Self.photosMin, "\(Self.report(run, random.seed, campaign))")
                let wrong = try run.violations()
                #expect(wrong == [], "\(Self.report(run, random.seed, campaign))")
                #expect(try await run.stop() == [0, 0])
            } catch {
                Issue.record("\(error)\n\(Self.report(run, random.seed, campaign))")
            }
            faults += run.faults
            photos += run.photos
        }
        print(
            "CampaignTests: seed \(seeds.seed) (FRAMEFAST_TEST_SEED repeats it), \(campaign) campaigns, "
                + "\(faults) faults, \(photos) photos, \(began.duration(to: .now))")
    }

    private static func report(_ run: CampaignRun, _ seed: UInt64, _ campaign: Int) -> String {
        "seed \(seed), campaign \(campaign) (\(run.setup)):\n"
            + run.history.map { "  \($0)" }.joined(separator: "\n")
    }
}
