import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Which habits an open camera gets of those that the makers' profiles have.
@Suite struct HabitsTests {
    private let known: [MakerHabits]
    init() throws { known = try KnowledgeBase.bundled().habits }

    private func habits(
        _ maker: String, vendorExtension: UInt32? = nil, sony: Bool = false, generic: Bool = false,
        builtIn: Bool = false
    ) -> CameraHabits {
        OpenedCamera(
            maker: maker, vendorExtension: vendorExtension, hasGenericCapture: generic, hasSonyCapture: sony,
            hasOnlyBuiltInMemory: builtIn
        ).habits(among: known)
    }

    @Test func `a maker is known by its name, and a Sony by its extension as well`() {
        #expect(
            habits("Canon Inc.").target?.keeper == .driver
                && habits("Canon Inc.").losesEventsAtRelease == true)
        #expect(habits("NIKON CORPORATION").handBack?.setting == "controlmode")
        #expect(habits("Panasonic").target?.words?[.host] == "Internal RAM")
        #expect(habits("Sony Corporation", sony: true) == habits("", vendorExtension: 0x11, sony: true))
        #expect(!habits("Sony Corporation", sony: true).canList)
        #expect(habits("Polaroid") == known.last?.habits && habits("Polaroid").mayTrigger)
    }

    @Test func `a Sony that is not in PC Remote is left alone`() {
        var still = CameraHabits()
        still.neverTriggers = true
        #expect(habits("Sony Corporation") == still)
    }

    @Test func `a Fujifilm's memory counts when it is tethered, not when it shows its card`() {
        #expect(habits("FUJIFILM", generic: true, builtIn: true).memoryBytes == 1_000_000_000)
        #expect(habits("FUJIFILM", generic: true).memoryBytes == nil)
        #expect(habits("FUJIFILM", builtIn: true).memoryBytes == nil)
        #expect(habits("FUJIFILM").priority?.forRelease == .always)
    }

    @Test func `what is kept in a camera can be read back in the words that are set`() {
        for row in known {
            guard let target = row.habits.target, target.keeper == .camera else { continue }
            #expect(target.setting != nil)
            for (wanted, word) in target.words ?? [:] where wanted != .card {
                #expect(target.readings?[word] == wanted, "\(row.names): \(word)")
            }
        }
    }
}
