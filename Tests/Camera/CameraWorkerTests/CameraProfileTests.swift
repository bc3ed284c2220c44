import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests of the selection of a profile for an open camera.
@Suite struct CameraProfileTests {
    private let known: [MakerProfile]
    init() throws { known = try KnowledgeBase.bundled().profiles }

    private func profile(
        _ maker: String, vendorExtension: UInt32? = nil, sony: Bool = false, generic: Bool = false,
        builtIn: Bool = false
    ) -> CameraProfile {
        OpenedCamera(
            maker: maker, vendorExtension: vendorExtension, hasGenericCapture: generic, hasSonyCapture: sony,
            hasOnlyBuiltInMemory: builtIn
        ).profile(among: known)
    }

    @Test func `chooses a profile by the maker's name or the vendor extension`() {
        #expect(
            profile("Canon Inc.").target?.settingStore == .driver
                && profile("Canon Inc.").losesEventsAtRelease == true)
        #expect(profile("NIKON CORPORATION").handBack?.setting == "controlmode")
        #expect(profile("Panasonic").target?.driverValues?[.host] == "Internal RAM")
        #expect(profile("Sony Corporation", sony: true) == profile("", vendorExtension: 0x11, sony: true))
        #expect(!profile("Sony Corporation", sony: true).canList)
        #expect(profile("Polaroid") == known.last?.profile && profile("Polaroid").mayTrigger)
    }

    @Test func `never triggers a Sony that is not in PC Remote mode`() {
        var still = CameraProfile()
        still.neverTriggers = true
        #expect(profile("Sony Corporation") == still)
    }

    /// The models are those of camera_sony_capture in camlibs/ptp2/library.c (libgphoto2 commit 17bf0bdff).
    @Test(arguments: [
        "ZV-E10", "ZV-1", "DSC-RX100M7", "DSC-RX0M2", "ILCE-7M3", "ILCE-7M4", "ILCE-7M5", "ILCE-7SM3",
        "ILCE-7RM4", "ILCE-7RM4A", "ILCE-7C", "ILCE-9M2", "ILCE-1",
    ])
    func `waits three seconds before the first release of a slow Sony`(model: String) {
        let slowStart = profile("Sony Corporation", sony: true).slowStart
        #expect(slowStart?.pauseMs == 3_000 && slowStart?.models.contains(model) == true)
    }

    @Test func `uses a Fujifilm's memory only when the camera is tethered`() {
        #expect(profile("FUJIFILM", generic: true, builtIn: true).memoryBytes == 1_000_000_000)
        #expect(profile("FUJIFILM", generic: true).memoryBytes == nil)
        #expect(profile("FUJIFILM", builtIn: true).memoryBytes == nil)
        #expect(profile("FUJIFILM").priority?.forRelease == .always)
    }

    @Test func `every profile recognizes the capture targets that the profile sets`() {
        for row in known {
            guard let target = row.profile.target, target.settingStore == .camera else { continue }
            #expect(target.setting != nil)
            for (wanted, word) in target.driverValues ?? [:] where wanted != .card {
                #expect(target.readings?[word] == wanted, "\(row.names): \(word)")
            }
        }
    }
}
