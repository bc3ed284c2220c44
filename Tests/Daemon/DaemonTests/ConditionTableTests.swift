import Foundation
import FrameFastModel
import Repository
import Testing

/// Tests that each condition has a test of its next step. Such a test raises the condition, performs the next
/// step and expects that the condition is cleared. A new kind needs a row here. After all tests, the gate
/// checks that each listed test has passed, and prints a table.
@Suite struct ConditionTableTests {
    private static func proofs(of kind: ConditionKind) -> [AdviceProof] {
        switch kind {
        // Conditions that prevent a connection to a camera.
        case .wrongMode:
            [
                .wholePrograms(
                    "PC Remote", "Cameras/GuidedConnectTests",
                    "connect guides the user from a wrong mode to a ready camera"
                )
            ]
        case .held:
            [
                .opened("Close other photo programs"),
                .wholePrograms(
                    "kill", "Cameras/USBFleetTests",
                    "reports the program that uses a camera, and connects afterwards"
                ),
            ]
        case .noPermission:
            [
                .wholePrograms(
                    "60-framefast.rules", "Cameras/USBFleetTests",
                    "does not open a camera without permission and reports its owner"),
                .camera(
                    "Restart the service: sudo systemctl restart framefastd",
                    "condition for a camera that the sandbox blocks ends after the suggested restart"),
            ]
        case .asleep: [.opened("Wake the camera with the shutter button")]
        case .busy: [.opened("Wait until its card light is off")]
        case .notSupported: [.opened("Install a newer libgphoto2")]
        case .pairingWanted: [.opened("Confirm the request on the camera's screen")]
        case .unreachable:
            [
                .opened("Make sure that the camera's Wi-Fi is on"),
                .camera(
                    "Connect the camera to a port of this computer",
                    "reports too little power or too many cameras for a device without a configuration"),
            ]
        case .noCard: [.opened("Insert a card, and make sure that it is not locked")]
        case .objectSetAside:
            [
                .photo(
                    "Copy these files from the card with a card reader",
                    "reports files that crash the driver until a listing completes without them")
            ]
        // Conditions that a connected camera reports.
        case .cardFull: [.reported("Replace the card")]
        case .batteryLow:
            [
                .reported("Charge or replace the battery soon"),
                .photo(
                    "FrameFast fetches the photos on the card after the camera reconnects",
                    "fetches the photos on the card after the battery is replaced"),
            ]
        case .clockDrift:
            [
                .reported("set the camera's time_zone in the configuration"),
                .command(
                    "Cameras/ClockZoneTests",
                    "sets the camera clock to local time in the service's zone"),
            ]
        case .photosOnly:
            [
                .camera(
                    "install a newer FrameFast",
                    "photos-only condition ends when libgphoto2 exposes the packets"
                )
            ]
        case .memoryFilling:
            [
                .photo(
                    "Shoot more slowly until these photos are saved",
                    "ends the memory condition after the photos in the memory are saved")
            ]
        case .presetNotApplied:
            [
                .daemon(
                    "framefast preset apply", "PresetHandlerTests",
                    "raises a condition for a preset that a camera rejects")
            ]
        case .cardOverfull:
            [
                .photo(
                    "then disconnect the camera and connect it again",
                    "fetches the files beyond the limit after a reconnection")
            ]
        // Conditions of photos on a camera.
        case .photoFailing:
            [
                .photo(
                    "No action is needed now: FrameFast retries these photos",
                    "fetches a failed photo later without a user action")
            ]
        case .tooLargeForDisk: [.space("to fetch the file")]
        case .tooLargeForLink:
            [
                .photo(
                    "clears when the file is no longer on the card",
                    "reports a file too large for the link while the card has it")
            ]
        case .photoDamaged:
            [
                .photo(
                    "'framefast captures retry' reads the photo now",
                    "clears the damaged-photo condition while the photo is read again"),
                .command(
                    "Cameras/CatchUpTests",
                    "reports a damaged photo until a retry reads it correctly"),
            ]
        case .settingsNotRestored:
            [
                .command(
                    "Cameras/OperationProgramTests",
                    "stops restoring a setting if this ends workers, and asks for confirmation")
            ]
        case .shutterOpen:
            [
                .wholePrograms(
                    "FrameFast closes the shutter when the camera connects again", "Cameras/RemoteExitTests",
                    "reports an open shutter until the camera connects again")
            ]
        case .photosLeftInCamera:
            [
                AdviceProof(
                    words: "This message clears when the camera is connected",
                    file: "Capture/CaptureEngineTests/Intake/PhotosLeftInCameraTests.swift",
                    test: "clears the condition for left photos after a day")
            ]
        case .linkCorrupts:
            [
                .photo(
                    "connect without a hub, or use another port",
                    "reports a corrupting link until a photo arrives intact over another link")
            ]
        case .rereadWaits:
            [
                .photo(
                    "Insert the card with these photos, and connect the camera",
                    "completes a second reading after the card is inserted again")
            ]
        case .serialShared:
            [
                .daemon(
                    "Keep each camera on its port", "ServiceAdviceTests",
                    "raises a condition while two cameras share a serial number")
            ]
        // Conditions of this computer.
        case .diskFull:
            [
                .space("Free some space in"),
                .wholePrograms(
                    "Free some space in", "Faults/DiskFullTests",
                    "a full disk leaves no partial file and delays the photo"),
            ]
        case .diskLow: [.space("Move finished sessions to another disk")]
        case .photosAway:
            [
                .folder(
                    "If the folder was moved by mistake, move it back",
                    "clears the missing-folder condition after the folder is moved back"),
                .command(
                    "Captures/CaptureFolderTests", "saves to another disk after the user adopts it"),
            ]
        case .saveFailing:
            [
                .photo(
                    "Check the disk that holds",
                    "saves a photo after its failing disk is repaired")
            ]
        case .ledgerFailing:
            [
                .folder(
                    "or repair the disk. FrameFast then continues automatically",
                    "clears the ledger condition after the ledger's disk is usable again"),
                .wholePrograms(
                    "or repair the disk. FrameFast then continues automatically", "Faults/DiskFullTests",
                    "reports an unwritable ledger, keeps running and records the photos later"),
            ]
        case .syncNotOffered:
            [
                .folder(
                    "or save them to a disk with ext4, XFS or Btrfs",
                    "reports a disk without fsync until the folder is on another disk")
            ]
        case .ledgerReplaced:
            [
                .wholePrograms(
                    "This message clears at the next start of the", "Faults/DamagedLedgerTests",
                    "replaces a damaged ledger and rebuilds its records from the photos")
            ]
        case .fewDescriptors:
            [
                .started("LimitNOFILE= in the service's unit"),
                .wholePrograms(
                    "LimitNOFILE= in the service's unit", "Faults/FewDescriptorsTests",
                    "reports exhausted open files once and recovers with a higher limit"),
            ]
        case .foreignFiles:
            [
                .folder(
                    "to another folder",
                    "reports foreign files until they are moved elsewhere")
            ]
        case .repairWaits:
            [
                .folder(
                    "Give the service read and write access to the named file or folder",
                    "marks an interrupted photo as seen after its folder becomes readable")
            ]
        case .configurationFaulty: [reload("systemctl reload framefastd")]
        case .configurationNeedsRestart: [reload("systemctl restart framefastd")]
        case .clockBehind:
            [
                .daemon(
                    "Set the clock", "ServiceAdviceTests",
                    "ends the clock condition when the computer's clock is set")
            ]
        case .metricsNotServed:
            [
                .wholePrograms(
                    "Choose another port in [metrics] listen", "Service/MetricsTests",
                    "a port in use disables only the metrics on that port")
            ]
        case .webNotServed:
            [
                .daemon(
                    "Correct listen, cert_file and key_file", "WebConditionTests",
                    "clears the condition of the web page when it is served")
            ]
        case .webUnencrypted:
            [
                .daemon(
                    "in [web] of the configuration, then restart the service", "WebHandlerTests",
                    "reports a page without TLS until the configuration turns TLS on")
            ]
        case .webCodesVoided:
            [
                .daemon(
                    "open a new code with 'framefast web pair'", "WebHandlerTests",
                    "reports wrong codes until a new code is open")
            ]
        case .hookBehind:
            [
                AdviceProof(
                    words: "Make the hook's program faster", file: "Automation/HooksTests/HookTests.swift",
                    test: "a full hook queue raises a condition until the queue is empty")
            ]
        // Conditions of uploads.
        case .destinationAway:
            [
                .upload("resume automatically"),
                .command(
                    "Uploads/HeldUploadsTests",
                    "holds uploads while a server refuses every photo, then delivers all"),
            ]
        case .destinationMetered: [.upload("uploads resume on an unmetered network")]
        case .destinationRemoved:
            [
                .upload("Add the destination again under this name"),
                .command(
                    "Uploads/DestinationLifeTests",
                    "lists, drops or resumes uploads to a removed destination"),
            ]
        case .uploadsRepeating: [.upload("retries automatically")]
        case .uploadFailed: [.upload("FrameFast uploads a restored file automatically")]
        case .uploadHeld:
            [
                .upload("Release the photos"),
                .command(
                    "Captures/SessionTests", "holds photos that a known camera took before the session"),
            ]
        case .photosUnreadable: [.upload("put the photos back")]
        case .uploadQueueStuck:
            [
                AdviceProof(
                    words: "or repair the disk. FrameFast then continues automatically",
                    file: "Upload/UploadEngineTests/AdviceTests.swift",
                    test: "an upload queue that can't be written continues when its disk is repaired")
            ]
        case .meteredUnknown:
            [
                AdviceProof(
                    words: "Set metered_command in [upload] to a program that determines this",
                    file: "Automation/NetworkCostTests/MeterAdviceTests.swift",
                    test: "the condition ends after a restart with a working metered_command")
            ]
        }
    }

    private static func reload(_ words: String) -> AdviceProof {
        .wholePrograms(
            words, "Service/ReloadTests",
            "keeps the running configuration and reports a faulty new one")
    }

    private static func test(_ file: String) throws -> String {
        try String(contentsOf: Repository.file("Tests/\(file)"), encoding: .utf8)
    }

    @Test func `each condition kind has a test of its next step`() throws {
        let sources = try SourceText().all
        var table = ""
        for kind in ConditionKind.allCases {
            for proof in Self.proofs(of: kind) {
                let text = try Self.test(proof.file) + (try proof.rows.map(Self.test) ?? "")
                let isInjected = text.contains(".\(kind)") || text.contains("\"\(kind.rawValue)\"")
                let isNamed =
                    proof.words.map { text.contains($0) && sources.contains($0) }
                    ?? text.contains("PrintedCommand.run(")
                #expect(
                    isInjected && isNamed && text.contains("func `\(proof.test)`"),
                    "\(kind.rawValue): \(proof.words ?? "") \(proof.file)")
                let signs = [isInjected, isNamed].map { $0 ? "yes" : "NO" }
                let place = ["Tests/\(proof.file)", proof.test, proof.isCase ? kind.rawValue : ""]
                table += ([kind.rawValue] + signs + place).joined(separator: "\t") + "\n"
            }
        }
        // The gate adds whether the tests passed.
        if let path = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_NEXT_STEPS"] {
            try Data(table.utf8).write(to: URL(filePath: path))
        }
    }
}
