import TestRig
import Testing

/// Tests of each view and state of the page with the rules of axe-core.
@Suite(
    .serialized, .programs(4), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct PageAccessibilityTests {
    @Test func `each view meets the accessibility rules in light and dark colors`()
        async throws
    {
        let gallery = try await PageGallery(.desk)
        let names = try await gallery.names()
        for view in PageGallery.views {
            let states = names.filter { $0 == view } + names.filter { $0.hasPrefix("\(view), ") }
            #expect(!states.isEmpty, "\(view)")
            for name in Tier.rows(states, gate: 1) {
                try await gallery.open(name)
                let violations = try gallery.browser.violationsInBothSchemes()
                #expect(violations == [], "\(name)")
            }
        }
    }

    @Test(.nightly("the gate checks each view without these settings"), arguments: PageGallery.views)
    func `each view meets the rules with more contrast or forced colors`(view: String) async throws {
        let gallery = try await PageGallery(.phone)
        let names = try await gallery.names(of: view)
        for name in names {
            for setting in ["prefers-contrast": "more", "forced-colors": "active"] {
                try gallery.browser.setMedia([setting.key: setting.value, "prefers-reduced-motion": "reduce"])
                try await gallery.open(name)
                let violations = try gallery.browser.violations()
                #expect(violations == [], "\(name), \(setting.key)")
                let page = try gallery.describe()
                #expect(page.faults == [], "\(name), \(setting.key)")
            }
        }
    }
}
