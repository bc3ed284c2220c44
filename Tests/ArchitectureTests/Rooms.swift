/// The rooms and what each may import, as ARCHITECTURE.md has it. A new arrow is entered there and here, with a reason.
enum Rooms {
    /// Ours, by room.
    static let arrows: [String: Set<String>] = [
        "FrameFastModel": [],
        "FrameFastAPI": [],
        "FrameFastSystem": ["CLinux"],
        "PlainThreads": ["CLinux"],
        "WorkerProtocol": ["FrameFastModel"],
        "Makers": ["FrameFastModel", "CMakerData"],
        "GPhoto2": ["CGPhoto2"],
        "USBHotplug": ["CLibUSB", "CLinux"],
        "Store": ["FrameFastModel", "FrameFastSystem"],
        "Cameras": [
            "FrameFastModel", "WorkerProtocol", "Makers", "USBHotplug", "FrameFastSystem",
        ],
        "CaptureEngine": ["FrameFastModel", "Store", "FrameFastSystem", "Cameras", "WorkerProtocol"],
        "UploadEngine": ["FrameFastModel", "Store", "FrameFastSystem"],
        "UploadDestinations": ["UploadEngine", "FrameFastModel", "FrameFastSystem", "CCurl"],
        "APIServer": ["FrameFastAPI", "FrameFastSystem"],
        "APIClient": ["FrameFastAPI"],
        "TerminalUI": ["PlainThreads", "CLinux"],
        "CameraSimulator": ["PlainThreads"],
        "framefastd": [
            "FrameFastModel", "FrameFastAPI", "FrameFastSystem", "WorkerProtocol", "Makers", "USBHotplug",
            "Store", "Cameras", "CaptureEngine", "UploadEngine", "UploadDestinations", "APIServer",
        ],
        "framefast-camera": [
            "FrameFastModel", "WorkerProtocol", "GPhoto2", "PlainThreads", "CLinux", "CSeccomp",
        ],
        "framefast": ["FrameFastAPI", "APIClient", "TerminalUI", "PlainThreads", "CLinux"],
        "framefast-simcam": ["CameraSimulator"],
    ]

    /// Packages, by room.
    static let packages: [String: Set<String>] = [
        "FrameFastSystem": ["SystemPackage"],
        "Store": ["GRDB"],
        "Cameras": ["Subprocess", "SystemPackage", "ServiceLifecycle", "Logging"],
        "CaptureEngine": ["Crypto", "SystemPackage", "ServiceLifecycle", "Logging"],
        "APIServer": [
            "HummingbirdCore", "HTTPTypes", "NIOConcurrencyHelpers", "NIOCore", "NIOPosix",
            "ServiceLifecycle", "Logging",
        ],
        "UploadEngine": ["Crypto", "ServiceLifecycle", "Logging"],
        "UploadDestinations": ["Subprocess", "SystemPackage", "Crypto", "ServiceLifecycle", "Logging"],
        "CameraSimulator": ["Crypto"],
        "framefastd": [
            "ArgumentParser", "ServiceLifecycle", "Logging", "SystemPackage", "TOMLKit", "UnixSignals",
        ],
        "framefast-camera": ["Crypto"],
        "framefast": ["ArgumentParser"],
        "framefast-simcam": ["ArgumentParser"],
    ]

    /// What comes with Swift and the system, allowed everywhere.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
    ]

    /// Libraries that a built program must not load.
    static let unwanted: [String: [String]] = [
        "framefastd": ["libgphoto2", "libseccomp"],
        "framefast": ["libgphoto2", "libusb", "libsqlite3"],
        "framefast-simcam": ["libgphoto2", "libusb", "libsqlite3"],
        "framefast-camera": ["libsqlite3", "libcurl"],
    ]
}
