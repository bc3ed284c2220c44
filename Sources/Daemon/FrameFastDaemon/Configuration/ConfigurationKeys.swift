import FrameFastModel

/// Every key, in the order of the commented file and the reference.
enum ConfigurationKeys {
    static let all: [ConfigurationKey] = general + UploadKeys.all + HookKeys.all + storage

    private static let storage: [ConfigurationKey] = [
        .init(
            section: "storage", name: "keep", kind: .retention, defaultTOML: "\"forever\"",
            doc: """
                How long photos stay on this computer; a session may say so itself (`framefast session keep`). When the \
                time is over, files that are delivered to every destination that they go to are removed; what is not \
                delivered everywhere, and what goes to no destination, stays.
                """)
    ]

    private static let general: [ConfigurationKey] = [
        .init(
            section: "capture", name: "directory", kind: .path,
            defaultTOML: "\"/var/lib/framefast/captures\"",
            doc: "Where photos go. It is created when it is missing."),
        .init(
            section: "capture", name: "template", kind: .text,
            defaultTOML: "\"{session}/{date}/{camera}-{counter:05}.{ext}\"",
            doc:
                "How photos are named below the directory. `framefast template test` shows what a template gives."
        ),
        .init(
            section: "capture", name: "delete_after_save", kind: .flag, defaultTOML: "false",
            doc: "Whether a photo is deleted on the camera once it is safely saved here."),
        .init(
            section: "capture", name: "min_free", kind: .size, defaultTOML: "\"2 GiB\"",
            doc: """
                Below this much free space no photo is taken in; photos wait on the camera until there is space again.
                """),
        .init(
            section: "capture", name: "pair_settle", kind: .duration(max: .seconds(60)),
            defaultTOML: "\"2 s\"",
            doc:
                "How long the RAW or JPEG half of a shot is waited for before the other half is taken to be single."
        ),
        .init(
            section: "capture", name: "capture_target",
            kind: .choice(CaptureTarget.allCases.map(\.rawValue)),
            defaultTOML: "\"card\"",
            doc: """
                Where cameras put new photos while they are connected: on the `card`, on `card+host` (the card, and a copy \
                in the memory that is read from here), on `host` only (lost when the cable goes too early), or `leave` \
                for what the camera is set to. The camera's own setting is restored at the end.
                """),
        .init(
            section: "capture", name: "existing", kind: .choice(["fetch", "skip"]), defaultTOML: "\"fetch\"",
            doc: "What to do with photos that are on the card when a camera is met for the very first time."),
        .init(
            section: "capture", name: "verify", kind: .choice(["structure", "reread"]),
            defaultTOML: "\"structure\"",
            doc: """
                How sure a photo's bytes must be. `structure`: size and structure are right. `reread`: each photo on a card \
                is read a second time when its camera is quiet; uploads, hooks and deletion on the camera wait until two \
                readings are equal, and a file that came wrong is put right. It costs the camera's battery and twice the \
                time on its link.
                """),
        .init(
            section: "camera", name: "name", kind: .cameraName, defaultTOML: nil, exampleTOML: "\"studio-a\"",
            doc: "What the camera is called, here and in file names. Required, and different for each camera."
        ),
        .init(
            section: "camera", name: "address", kind: .address, defaultTOML: nil,
            exampleTOML: "\"ptpip:192.168.1.5:15740\"",
            doc: """
                Where the camera is. Required. Without a port, PTP/IP's own (15740) is used. `usb:` is the first \
                camera on the USB that no other table names, `usb:serial=NUMBER` the one with that serial number, \
                `usb:port=1-1.4` whichever is plugged in there.
                """),
        .init(
            section: "camera", name: "time_zone", kind: .timeZone, defaultTOML: nil,
            exampleTOML: "\"Asia/Bangkok\"",
            doc: "The zone that the camera's clock is set to. Without it, the host's own."),
        .init(
            section: "camera", name: "delete_after_save", kind: .flag, defaultTOML: nil, exampleTOML: "true",
            doc: "Overrides `capture.delete_after_save` for this camera."),
        .init(
            section: "camera", name: "capture_target",
            kind: .choice(CaptureTarget.allCases.map(\.rawValue)), defaultTOML: nil,
            exampleTOML: "\"card+host\"", doc: "Overrides `capture.capture_target` for this camera."),
        .init(
            section: "usb", name: "detect", kind: .flag, defaultTOML: "true",
            doc: """
                Whether every camera that is plugged in and can be tethered is used. Otherwise only those that a \
                `[[camera]]` table names.
                """),
        .init(
            section: "usb", name: "phones", kind: .texts("serial numbers"), defaultTOML: "[]",
            doc: "Serial numbers of phones that are to be used as cameras. All others are left alone."),
        .init(
            section: "api", name: "socket", kind: .path, defaultTOML: "\"/run/framefast/framefast.sock\"",
            doc: """
                The socket that `framefast` and scripts talk to. Without this key, a daemon that an ordinary user \
                starts takes `$XDG_RUNTIME_DIR/framefast/framefast.sock`.
                """),
        .init(
            section: "api", name: "public_status", kind: .flag, defaultTOML: "false",
            doc:
                "Whether every user of this host may look. Control is for root and group `framefast` in any case."
        ),
        .init(
            section: "metrics", name: "listen", kind: .loopback, defaultTOML: "\"off\"",
            exampleTOML: "\"127.0.0.1:9477\"",
            doc: """
                Where `/metrics` is served beside the socket, for Prometheus and its like. Every user of this computer \
                can read it there.
                """),
        .init(
            section: "drivers", name: "allow", kind: .drivers, defaultTOML: "[\"ptp2\"]",
            doc: "The libgphoto2 drivers that may be loaded. `ptp2` serves all current cameras."),
        .init(
            section: "state", name: "directory", kind: .path, defaultTOML: "\"/var/lib/framefast\"",
            doc: "Where the ledger and the workers' files live."),
        .init(
            section: "log", name: "level",
            kind: .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            defaultTOML: "\"info\"",
            doc: "The least important messages that are logged."),
    ]

    /// Section names, in order.
    static let sections = [
        "capture", "camera", "usb", "upload", "destination", "hook", "storage", "api", "metrics", "drivers",
        "state", "log",
    ]

    /// What a section is about.
    static func title(of section: String) -> String {
        switch section {
        case "capture": "Taking photos in"
        case "camera": "Cameras on the network, or with a name or settings of their own, one table each"
        case "usb": "Cameras on the USB"
        case "upload": "What upload modes do"
        case "destination": "Where photos are uploaded to, one table each"
        case "hook": "Programs that are run when something happens, one table each"
        case "storage": "How long photos stay here"
        case "api": "The socket for programs"
        case "metrics": "Figures for Prometheus"
        case "drivers": "Camera drivers"
        case "state": "The daemon's own files"
        default: "Messages"
        }
    }

    /// Keys of a section, in order.
    static func keys(of section: String) -> [ConfigurationKey] { all.filter { $0.section == section } }
}
