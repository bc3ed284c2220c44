import FrameFastModel
import Makers
import Testing

@testable import CameraWorker

/// Tests of the settings that an EOS needs for one photo of a focus stack, with libgphoto2 2.5.34.
@Suite struct ReleaseSequenceTests {
    private let method: CameraProfile.Toggle

    init() throws {
        let profiles = try KnowledgeBase.bundled().profiles
        let canon = try #require(profiles.first { $0.names.contains("Canon") }).profile
        method = try #require(canon.focus?.releases?.first { $0.begin.count == 2 })
    }

    /// Sends settings until the camera refuses one, as the worker does. Returns the sent values.
    private func send(_ release: inout ReleaseSequence, refusing refused: String? = nil) -> [String] {
        var sent: [String] = []
        while let setting = release.next {
            release.recordSent()
            sent.append(setting.value)
            if setting.value == refused { break }
            release.recordAccepted()
        }
        return sent
    }

    private static let all = ["Press Half MF", "Press Full MF", "Release", "Release Half"]

    @Test(arguments: all.indices)
    func `retries only the setting that the camera refused`(refused: Int) {
        var release = ReleaseSequence(method)
        #expect(send(&release, refusing: Self.all[refused]) == Array(Self.all[...refused]))
        #expect(send(&release, refusing: Self.all[refused]) == [Self.all[refused]])
        #expect(send(&release) == Array(Self.all[refused...]))
        #expect(release.next == nil)
    }

    @Test func `assumes that the button is pressed until the camera accepts the release`() {
        var release = ReleaseSequence(method)
        #expect(!release.mayBePressed)
        release.recordSent()
        #expect(release.mayBePressed)
        for _ in method.begin {
            release.recordAccepted()
            #expect(release.mayBePressed)
        }
        release.recordAccepted()
        #expect(!release.mayBePressed)
    }
}
