import FrameFastModel
import Makers

/// The texts of a condition, as the service reports them.
///
/// The parts between `<` and `>` are examples of values. The sources must contain all other parts. An empty
/// pair separates two parts that are separate literals in the sources.
struct ConditionExample {
    var sentence: String
    var nextStep: String

    init(_ sentence: String, _ nextStep: String) {
        self.sentence = sentence
        self.nextStep = nextStep
    }

    /// The texts that the sources must contain.
    var fixedTexts: [String] {
        [sentence, nextStep].flatMap { $0.split(separator: #/<[^>]*>/#).map(String.init) }
    }

    /// Returns a text with its example values.
    static func plain(_ text: String) -> String { text.filter { $0 != "<" && $0 != ">" } }

    /// Creates the example of a condition that prevents a connection, with the general text for all makers.
    private static func obstacle(_ kind: ConditionKind) throws -> ConditionExample {
        let guidance = try KnowledgeBase.bundled().guidance(for: kind, maker: nil)
        return ConditionExample(guidance.sentence, guidance.steps.joined(separator: "<> <>"))
    }

    /// Returns the example of a condition. A new kind needs a case.
    static func of(_ kind: ConditionKind) throws -> ConditionExample {
        switch kind {
        case .wrongMode, .held, .noPermission, .asleep, .busy, .notSupported, .pairingWanted, .unreachable,
            .noCard:
            try obstacle(kind)
        case .cardFull:
            ConditionExample(
                "The card in <studio-a> is full.",
                "Replace the card, or delete photos that are saved. No photos are lost.")
        case .batteryLow:
            ConditionExample(
                "The battery of <studio-a> is <at 8 %>.",
                "Charge or replace the battery soon. FrameFast fetches the photos on the card after the camera reconnects."
            )
        case .clockDrift:
            ConditionExample(
                "The clock of <studio-a> is <75> s <ahead of> this computer's.",
                "Set the clock with 'framefast clock <studio-a> --set', or set the camera's time_zone in the configuration."
            )
        case .presetNotApplied:
            ConditionExample(
                "<studio-a> is not set to preset <studio>: <iso 400 (refused)>.",
                "See the differences with 'framefast preset diff <studio> <studio-a>', change them on the "
                    + "camera or in the preset, then run 'framefast preset apply <studio> <studio-a>'."
            )
        case .settingsNotRestored:
            ConditionExample(
                "Some settings of <studio-a> were not restored or set (<iso, shutter>): the driver crashed "
                    + "while setting them, and FrameFast does not try again.",
                "Check these settings on the camera, and stop any movie or long exposure there. Then confirm "
                    + "with 'framefast stop <studio-a>', which also stops the camera's current operation.")
        case .shutterOpen:
            ConditionExample(
                "The shutter of <studio-a> may be open: a long exposure could not be ended.",
                "Press the camera's shutter button halfway, or switch the camera off. FrameFast closes the shutter "
                    + "when the camera connects again.")
        case .photosOnly:
            ConditionExample(
                "<studio-a> supports photos only: FrameFast does not support the packet format of <libgphoto2 "
                    + "2.5.99>. Not available: <>settings, the clock, live view, focus, long "
                    + "exposures, intervals and other operations, camera groups, and files of 4.3 GB and more<>. "
                    + "<>The shutter and new photos wait while the card is listed or a large movie is "
                    + "fetched.",
                "FrameFast still fetches photos. For the other functions, install a newer FrameFast or a libgphoto2 "
                    + "version that FrameFast supports. Then reconnect the camera."
            )
        case .memoryFilling:
            ConditionExample(
                "The memory of <studio-a> holds <14> photos that are not saved yet; when the memory is full, the "
                    + "camera stops shooting.",
                "Shoot more slowly until these photos are saved. Do not turn the camera off.")
        case .cardOverfull:
            ConditionExample(
                "<studio-a> announced more than <500000> new files since it was connected. FrameFast does "
                    + "not fetch the files beyond this limit.",
                "Wait until the other files are fetched, then disconnect the camera and connect it again. If "
                    + "its card has fewer files than this limit, check the card and the cable.")
        case .photoFailing:
            ConditionExample(
                "<studio-a>: <2> photo(s) cannot be fetched (last: <the camera refused>); the other photos are "
                    + "fetched.",
                "No action is needed now: FrameFast retries these photos. Do not format the card.")
        case .tooLargeForDisk:
            ConditionExample(
                "<studio-a>: <MVI_0007.MP4 has 5.4 GB>, but the disk with </srv/photos> has only <3.2 GB "
                    + "free>. This file waits <on the card>. FrameFast fetches the other files.",
                "Free some space in </srv/photos> to fetch the file, or copy the file with a card reader. "
                    + "Do not format the card.")
        case .tooLargeForLink:
            ConditionExample(
                "<studio-a>: <MVI_0007.MP4> cannot be transferred over this connection. "
                    + "Files above the connection's limit of 4.3 GB stay on the card and are not saved here.",
                "Copy the file with a card reader, or connect the camera by USB. Do not format the card until "
                    + "then. <>This message clears when the file is no longer on the card."
            )
        case .photoDamaged:
            ConditionExample(
                "<studio-a>: <IMG_0007.JPG is> damaged on the card< (its end is missing)>.",
                "Check the photo on the camera: it stays on the card and is read again at intervals. "
                    + "'framefast captures retry' reads the photo now. The received data is in "
                    + "</srv/photos/.framefast/set-aside>.")
        case .objectSetAside:
            ConditionExample(
                "<studio-a>: <1> file(s) on the card make the camera driver crash (last file: "
                    + "<0x1a2b>); FrameFast skips these files and fetches all others.",
                "Copy these files from the card with a card reader. This message clears when you connect the "
                    + "camera without these files. The most common cause is an unusually long file name."
            )
        case .photosLeftInCamera:
            ConditionExample(
                "<studio-a>: up to <3> photo(s) were still in the camera when its connection was lost. "
                    + "They are not saved here; the camera keeps them on its card, if it has one.",
                "Copy these files from the card with a card reader. Or set the camera's USB to MTP or mass "
                    + "storage, and copy them with a file manager. FrameFast cannot list the card in PC "
                    + "Remote. "
                    + "This message clears when the camera is connected and one day has passed since the "
                    + "connection was lost.")
        case .linkCorrupts:
            ConditionExample(
                "<studio-a>: <3> photo(s) had different bytes in a second reading: <>the "
                    + "cable, hub or port<> between camera and computer corrupts data.",
                "Change the cable, connect without a hub, or use another port. <>FrameFast still fetches "
                    + "photos. It corrects wrong bytes before it uploads a photo."
            )
        case .rereadWaits:
            ConditionExample(
                "<studio-a>: <3> photo(s) are saved and wait for their second reading; they are not "
                    + "uploaded until then.",
                "Insert the card with these photos, and connect the camera. To turn off second readings, set verify = "
                    + "\"structure\" in [capture] and restart the service.")
        case .serialShared:
            ConditionExample(
                "<studio-a and studio-b> report the same serial number, <0001234>.",
                "No photos are lost. FrameFast distinguishes these cameras by port, address and the photos on "
                    + "their cards. Keep each camera on its port. If you swap the ports, FrameFast may swap "
                    + "the names."
            )
        case .diskFull:
            ConditionExample(
                "The disk with </srv/photos> is full (<1.9 GB free>): photos wait on the card.",
                "Free some space in </srv/photos>. FrameFast then continues automatically. Do not format "
                    + "the card.")
        case .diskLow:
            ConditionExample(
                "The disk with </srv/photos> is getting full (<9.8 GB free>).",
                "Photos are still saved. Move finished sessions to another disk.")
        case .photosAway:
            ConditionExample(
                "The photo folder </srv/photos> <>exists, but its disk is not "
                    + "mounted<>: photos wait on the card.",
                "Mount the disk. FrameFast then continues automatically. To save photos to the disk "
                    + "that holds the folder now, run 'framefast storage adopt'.")
        case .saveFailing:
            ConditionExample(
                "Photos cannot be saved: <cannot write the file: input/output error>.",
                "Check the disk that holds </srv/photos>. The photos stay on the card and are retried.")
        case .ledgerFailing:
            ConditionExample(
                "The ledger cannot be written: <disk I/O error>.",
                "Free some space on the disk that holds the state directory, or repair the disk. FrameFast then "
                    + "continues automatically. Photos stay on the cards until then.")
        case .syncNotOffered:
            ConditionExample(
                "The file system of </srv/photos> does not support fsync: the newest photos can be lost in "
                    + "a power failure.",
                "Keep the photos on the cards until they are copied elsewhere, or save them to a disk with "
                    + "ext4, XFS or Btrfs."
            )
        case .ledgerReplaced:
            ConditionExample(
                "The ledger was damaged (<reason>) and was moved to "
                    + "</var/lib/framefast/ledger.damaged-20261121T101112Z.sqlite>. The new ledger has "
                    + "<812> files and <790> uploads from it.",
                "Connect the cameras: FrameFast finds missing photos on disk or fetches them again. Check "
                    + "the disk of the state directory, for example with 'sudo dmesg'. This message clears "
                    + "at the next start of the service."
            )
        case .fewDescriptors:
            ConditionExample(
                "The service may open only <128> files at a time: cameras, uploads and commands can "
                    + "fail.",
                "Raise the limit to at least <512>: LimitNOFILE= in the service's unit, or 'ulimit -n' "
                    + "before a manual start; then restart the service."
            )
        case .foreignFiles:
            ConditionExample(
                "FrameFast did not create '<notes.txt>' in </srv/photos/.framefast>.",
                "Move such files to another folder. This folder is only for photos that "
                    + "FrameFast is saving.")
        case .repairWaits:
            ConditionExample(
                "<2> photo(s) were being saved when the service stopped. FrameFast cannot check "
                    + "them now: <cannot open /srv/photos/2026/IMG_0007.JPG: permission denied>.",
                "Give the service read and write access to the named file or folder. FrameFast retries "
                    + "automatically. Do not format the card.")
        case .configurationFaulty:
            ConditionExample(
                "The configuration is invalid, and the previous configuration stays in effect: "
                    + "</etc/framefast/framefast.toml:12: unknown key>.",
                "Correct the configuration, then reload the service: sudo systemctl reload framefastd")
        case .configurationNeedsRestart:
            ConditionExample(
                "The configuration has changes that need a restart: <capture.directory>.",
                "Restart the service when no camera is taking photos: sudo systemctl restart framefastd")
        case .clockBehind:
            ConditionExample(
                "This computer's clock says <2026-01-01>, but a photo here was saved on <2026-11-21>.",
                "Set the clock, for example with 'sudo timedatectl set-ntp true'. FrameFast uses this "
                    + "clock to assign photos to sessions and to check camera clocks.")
        case .metricsNotServed:
            ConditionExample(
                "Metrics cannot be served on <127.0.0.1:9464>: <the address is in use>.",
                "Choose another port in [metrics] listen, then restart the service.")
        case .webNotServed:
            ConditionExample(
                "The web page is not served as configured: <cannot listen on 192.168.1.20:9480: Address "
                    + "already in use>.",
                "Correct listen, cert_file and key_file in [web] of the configuration, then restart the "
                    + "service.")
        case .webUnencrypted:
            ConditionExample(
                "Devices <in the private networks of this computer> can reach the web page at port <9480> "
                    + "<without TLS, so others in the network can read photos and take over paired devices>.",
                "Set tls = \"on\" in [web] of the configuration, then restart the service: "
                    + "sudo systemctl restart framefastd")
        case .webCodesVoided:
            ConditionExample(
                "Too many wrong codes were tried on the web page. All open codes are void.",
                "Check which devices are in the network, then open a new code with 'framefast web pair'.")
        case .hookBehind:
            ConditionExample(
                "The hook <lamp> is too slow: <12> of its events were skipped.",
                "Make the hook's program faster, or let the program queue its work and exit.")
        case .destinationAway:
            ConditionExample(
                "The destination <nas> is unavailable<: the server does not respond.>",
                "No photo is lost. Uploads resume automatically when the destination accepts them.")
        case .destinationMetered:
            ConditionExample(
                "Uploads to <nas> wait: the network is metered.",
                "No action is needed: uploads resume on an unmetered network.")
        case .destinationRemoved:
            ConditionExample(
                "<3 photos> for <nas> <are> not uploaded. <>The destination is no longer in the "
                    + "configuration.",
                "Add the destination again under this name, or drop its uploads with 'framefast queue drop --to "
                    + "<nas>'.")
        case .uploadsRepeating:
            ConditionExample(
                "The upload of <studio-a-00007.jpg> to <nas> failed <8> times in a row<>: <the server "
                    + "answers 500.>",
                "FrameFast retries automatically. If other photos are delivered, check this file and the "
                    + "server's log."
            )
        case .uploadFailed:
            ConditionExample(
                "<2 photos> could not be uploaded to <nas>: <>The file "
                    + "</srv/photos/studio-a-00007.jpg> does not exist.",
                "Restore the file, or drop the upload. FrameFast uploads a restored file automatically.")
        case .uploadHeld:
            ConditionExample(
                "<2 photos for nas are> held. <>The session is in mode 'offline', which does not upload "
                    + "photos automatically.",
                "Release the photos, or switch the session to another mode.")
        case .photosUnreadable:
            ConditionExample(
                "Uploads are waiting. <>The folder </srv/photos> with the photos <>does not exist<>.",
                "Mount the folder's disk again, or put the photos back. Uploads then resume automatically.")
        case .uploadQueueStuck:
            ConditionExample(
                "The disk with </var/lib/framefast> is full: the upload queue cannot be written.",
                "Free some space on the disk that holds </var/lib/framefast>, or repair the disk. FrameFast then "
                    + "continues automatically.")
        case .meteredUnknown:
            ConditionExample(
                "FrameFast cannot determine whether the network is metered: <cannot query NetworkManager>.",
                "Set metered_command in [upload] to a program that determines this, or remove metered = \"hold\". "
                    + "Then restart the service."
            )
        }
    }
}
