import FrameFastModel
import Testing

@Suite struct ConditionKindTests {
    @Test(arguments: ConditionKind.allCases)
    func `every condition fits a bar, whatever its subject is called`(kind: ConditionKind) {
        for name in [nil, "", "a", "studio-a", "the camera on the left stand of the second studio"] {
            let short = kind.short(name)
            #expect(short.count <= ConditionKind.shortMax, "\(short)")
            #expect(!short.isEmpty && !short.hasSuffix("."))
        }
        #expect(ConditionKind.allCases.count { $0.short(nil) == kind.short(nil) } <= 2)
    }

    @Test func `the subject is named in front, and cut where both are too long`() {
        #expect(ConditionKind.destinationAway.short("cloud") == "cloud away")
        #expect(ConditionKind.batteryLow.short("Canon EOS R6 Mark II") == "Canon EOS R… battery low")
        #expect(ConditionKind.diskFull.short(nil) == "disk full")
        // A path says nothing in a bar.
        #expect(ConditionKind.photosUnreadable.short("/srv/photos/2026") == "photos unreadable")
    }

    @Test func `codes are what scripts know`() {
        #expect(ConditionKind(rawValue: "disk-full") == .diskFull)
        #expect(ConditionKind.allCases.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
    }
}
