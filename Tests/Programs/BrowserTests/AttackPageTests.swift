import TestRig
import Testing

/// Tests of attacks on the page in Chromium. `WebServiceTests` sends the same attacks over raw connections.
@Suite(
    .serialized, .programs(6), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct AttackPageTests {
    @Test(arguments: Tier.rows(PageAttack.allCases, gate: 1))
    func `refuses an attack, and the page still shows new photos`(attack: PageAttack) async throws {
        let rig = try await AttackRig(for: attack)
        try await rig.perform(attack)
        try await rig.checkPage()
        try await rig.page.stop()
    }
}
