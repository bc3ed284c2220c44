import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// The choice of a profile for an open camera.
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

    @Test func `chooses a profile by the maker's name or the vendor extension`() {
        #expect(
            habits("Canon Inc.").target?.keeper == .driver
                && habits("Canon Inc.").losesEventsAtRelease == true)
        #expect(habits("NIKON CORPORATION").handBack?.setting == "controlmode")
        #expect(habits("Panasonic").target?.words?[.host] == "Internal RAM")
        #expect(habits("Sony Corporation", sony: true) == habits("", vendorExtension: 0x11, sony: true))
        #expect(!habits("Sony Corporation", sony: true).canList)
        #expect(habits("Polaroid") == known.last?.habits && habits("Polaroid").mayTrigger)
    }

    @Test func `disables the shutter of a Sony outside PC Remote`() {
        var still = CameraHabits()
        still.neverTriggers = true
        #expect(habits("Sony Corporation") == still)
    }

    @Test func `uses a Fujifilm's memory only when the camera is tethered`() {
        #expect(habits("FUJIFILM", generic: true, builtIn: true).memoryBytes == 1_000_000_000)
        #expect(habits("FUJIFILM", generic: true).memoryBytes == nil)
        #expect(habits("FUJIFILM", builtIn: true).memoryBytes == nil)
        #expect(habits("FUJIFILM").priority?.forRelease == .always)
    }

    @Test func `reads back every capture target that a profile sets`() {
        for row in known {
            guard let target = row.habits.target, target.keeper == .camera else { continue }
            #expect(target.setting != nil)
            for (wanted, word) in target.words ?? [:] where wanted != .card {
                #expect(target.readings?[word] == wanted, "\(row.names): \(word)")
            }
        }
    }
}
