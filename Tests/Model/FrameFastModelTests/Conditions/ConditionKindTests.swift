import FrameFastModel
import Testing

@Suite struct ConditionKindTests {
    @Test(arguments: ConditionKind.allCases)
    func `the short text of every condition fits a status bar with any subject name`(kind: ConditionKind) {
        for name in [nil, "", "a", "studio-a", "the camera on the left stand of the second studio"] {
            let short = kind.short(name)
            #expect(short.count <= ConditionKind.shortMax, "\(short)")
            #expect(!short.isEmpty && !short.hasSuffix("."))
        }
        #expect(ConditionKind.allCases.count { $0.short(nil) == kind.short(nil) } <= 2)
    }

    @Test func `short text starts with the subject's name and truncates it`() {
        #expect(ConditionKind.destinationAway.short("cloud") == "cloud unavailable")
        #expect(ConditionKind.batteryLow.short("Canon EOS R6 Mark II") == "Canon EOS R… battery low")
        #expect(ConditionKind.diskFull.short(nil) == "disk full")
        // A status bar does not show paths.
        #expect(ConditionKind.photosUnreadable.short("/srv/photos/2026") == "photos unreadable")
    }

    @Test func `condition codes are lower-case words with hyphens`() {
        #expect(ConditionKind(rawValue: "disk-full") == .diskFull)
        #expect(ConditionKind.allCases.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
    }
}
