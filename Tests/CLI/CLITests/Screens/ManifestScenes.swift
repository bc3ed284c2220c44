import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// What is printed of manifests: of a sealing, and of what a verification found.
enum ManifestScenes {
    private static let folder = "/srv/photos/Bangkok Wedding"

    private static let seals = [
        SealReply(
            session: 3, folder: folder, generation: 2,
            manifest: "ascmhl/0002_Bangkok Wedding_2026-11-21_142530Z.mhl", sealed: 1_204, read: 12,
            awaitingReread: 3, leftOut: 1),
        SealReply(session: 3, folder: folder),
    ]

    private static let verifications = [
        VerificationReply(
            session: 3, folder: folder, state: .running, files: 1_204, filesDone: 310,
            bytesRead: 8_120_000_000),
        VerificationReply(
            session: 3, folder: folder, state: .done, result: .intact, files: 1_204, filesDone: 1_204,
            bytesRead: 8_120_000_000, verified: 1_203, cleared: 1,
            findings: [
                .init(path: "2026-11-21/a-00012.jpg", what: .cleared, destinations: ["nas", "studio"])
            ],
            generation: 3),
        VerificationReply(
            session: 3, folder: folder, state: .done, result: .changed, files: 3, filesDone: 3, verified: 1,
            missing: 1, changed: 1,
            findings: [
                .init(path: "2026-11-21/a-00012.jpg", what: .changed),
                .init(path: "2026-11-21/\(EverydayScenes.wideName).jpg", what: .missing),
            ], generation: 3),
        VerificationReply(
            session: 3, folder: folder, state: .done, result: .manifestEdited,
            reason:
                "the manifest 0001_Bangkok Wedding_2026.mhl was edited: it is not what the chain says"),
        VerificationReply(session: 3, folder: folder, state: .done, result: .notSealed),
        VerificationReply(session: 3, folder: folder, state: .cancelled, files: 3, filesDone: 1),
    ]

    private static let uploads = [
        ManifestUploadReply(folder: folder, destination: "nas", newest: 3),
        ManifestUploadReply(
            folder: folder, destination: "studio", state: .retrying, generation: 2, newest: 3,
            retryAt: EverydayScenes.now, reason: "Another file has the name a/ascmhl/ascmhl_chain.xml there.",
            nextStep: "Give this computer's sessions other names, or the destination another folder."),
    ]

    static var scenes: [SmallScenes.Scene] {
        zip(["sealed", "nothing new"], seals).map { ($0, SealView(seal: $1, json: Data())) }
            + zip(["running", "intact", "changed", "edited", "never sealed", "cancelled"], verifications).map
        {
            ($0, VerificationView(verification: $1, json: Data()))
        }
            + [
                (
                    "to upload",
                    QueueView(
                        page: UploadsReply(jobs: [], manifests: uploads), json: Data(),
                        now: EverydayScenes.now)
                )
            ]
    }
}
