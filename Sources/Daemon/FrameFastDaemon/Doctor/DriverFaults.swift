import FrameFastModel
import Makers

/// The known bugs of libgphoto2 that affect photographers.
///
/// The source of each row is a public report, libgphoto2's changelog, or an experiment with simulated
/// cameras. Bugs with a workaround in the worker have no row.
enum DriverFaults {
    /// Returns the faults of a version, in the order of the table.
    static func faults(in version: LibraryVersion) -> [DriverFault] { all.filter { $0.isIn(version) } }

    static let all: [DriverFault] = [
        DriverFault(
            id: "sony-protocol", since: "2.5.31", until: "2.5.32", maker: .sony,
            // The bodies in `has_sony_mode_300` (camlibs/ptp2/ptp.h of 2.5.31), and their product names.
            models: [
                "ILCE-7SM3", "A7S III", "ILCE-7RM4", "A7R IV", "ILCE-7RM4A", "ILCE-7C", "A7C", "ILCE-9M2",
                "A9 II", "ILCE-1", "A1",
                "ILCE-7M4", "A7 IV", "ILCE-7RM5", "A7R V", "ZV-E1",
            ],
            isSevere: true,
            symptom:
                "A Sony A1, A7 IV, A7C, A7R IV, A7R V, A7S III, A9 II or ZV-E1 connects, but its settings cannot be read and "
                + "it cannot be controlled",
            step: "Use libgphoto2 2.5.32 or newer, or 2.5.30.",
            source: "libgphoto2 issues 937 and 946, gphoto2 issues 610 and 641"),
        DriverFault(
            id: "nikon-capture", since: "2.5.32", until: "2.5.33", maker: .nikon, isSevere: true,
            symptom: "The library crashes when a Nikon takes a photo; a Z5 and a Z50II were reported",
            step: "Use libgphoto2 2.5.33 or newer, or 2.5.31.",
            source: "libgphoto2 issues 1166 and 1168, gphoto2 issue 690"),
        DriverFault(
            id: "eos-busy", since: "2.5.31", maker: .canon, models: ["EOS R6 Mark II", "EOS R6m2"],
            symptom: "An EOS R6 Mark II shows BUSY while it is connected, and ignores its dials and buttons",
            step: "Change its settings with `framefast set`, or use libgphoto2 2.5.30.",
            source: "libgphoto2 issue 1210"),
        DriverFault(
            id: "xt30", since: "2.5.32", maker: .fujifilm, models: ["X-T30"],
            symptom: "The library was reported to no longer detect an X-T30",
            step: "Copy its photos with a card reader.",
            source: "libgphoto2 issue 1144"),
        DriverFault(
            id: "om-1", until: "2.5.31", maker: .olympus, models: ["OM-1"],
            symptom: "An OM-1 cannot be controlled",
            step: "Use libgphoto2 2.5.31 or newer.", source: "libgphoto2's list of changes"),
        DriverFault(
            id: "om-1-2-session", since: "2.5.32", until: "2.5.35", maker: .olympus,
            // When a connection ends, the driver sets property D052 to a value that this body does not accept
            // (libgphoto2 issue 1161). The pull request, merged after 2.5.34, restores the earlier value.
            models: ["OM-1MarkII", "OM-1 Mark II"], isSevere: true,
            symptom:
                "An OM-1 Mark II was reported to respond only in the first connection after it was turned on",
            step:
                "Unplug the camera and turn it off and on before each new connection, and use libgphoto2 2.5.35 or newer when it is available.",
            source: "libgphoto2 issue 1308 and pull request 1263"),
        DriverFault(
            id: "sigma-fp-l", until: "2.5.31", maker: .sigma, models: ["fp L"],
            symptom: "A Sigma fp L cannot be controlled",
            step:
                "Use libgphoto2 2.5.31 or newer. The camera was reported to be unreliable with these versions, too.",
            source: "libgphoto2 issue 882"),
        DriverFault(
            id: "sony-movie", since: "2.5.31", until: "2.5.32", maker: .sony,
            symptom: "The library crashes when FrameFast starts or stops a movie on a Sony",
            step: "Start and stop movies on the camera.",
            source: "libgphoto2 issues 974 and 1080; seen with a simulated camera"),
        DriverFault(
            id: "nikon-list", since: "2.5.32", until: "2.5.34", maker: .nikon,
            symptom:
                "The library reads a Nikon's file list for each photo, which takes longer; a D750 was reported",
            step: "Use an empty card, or libgphoto2 2.5.34 or newer.", source: "libgphoto2 issue 1177"),
        DriverFault(
            id: "fujifilm-card", until: "2.5.32", maker: .fujifilm,
            symptom: "Photos on the card of a Fujifilm in card reader mode may not be readable",
            step: "Set the camera to tether shooting, or copy the photos with a card reader.",
            source: "libgphoto2 issue 950, rapid-photo-downloader issues 117 and 252"),
        DriverFault(
            id: "sony-network-list", until: "2.5.34", maker: .sony, models: ["DSC-RX100M6", "RX100 VI"],
            symptom: "On the network, an RX100 VI shows Connecting, and its photos cannot be listed",
            step: "Connect the camera by USB, or use libgphoto2 2.5.34 or newer.",
            source: "libgphoto2 issue 1219"),
        DriverFault(
            id: "mode-then-value", since: "2.5.34",
            symptom:
                "Some cameras reject a setting as read-only directly after a change of the exposure mode",
            step: "Change both in one command: `framefast set CAMERA mode=M aperture=8`",
            source: "seen with a simulated camera"),
        DriverFault(
            id: "hostile-usb", until: "2.5.34",
            symptom:
                "A malicious USB device can attack the camera worker, which therefore runs in a sandbox",
            step:
                "Connect only cameras that you trust, and use libgphoto2 2.5.34 or newer when it is available.",
            source: "CVE-2026-40333 to 40336 and 40338 to 40341"),
    ]
}
