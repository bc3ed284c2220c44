// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is built the same way: Swift 6 mode, explicit import visibility, `any` spelled out.
let habits: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The drawing of the house: ARCHITECTURE.md says what each wing is for.
enum Wing: String {
    case programs = "Programs"
    case cli = "CLI"
    case daemon = "Daemon"
    case api = "API"
    case upload = "Upload"
    case automation = "Automation"
    case fleet = "Fleet"
    case capture = "Capture"
    case camera = "Camera"
    case pictures = "Pictures"
    case web = "Web"
    case ledger = "Ledger"
    case model = "Model"
    case linux = "Linux"
    case doors = "Doors"
    case simulator = "Simulator"
    /// What tests are made with.
    case rig = "Rig"
}

func room(_ wing: Wing, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(wing.rawValue)/\(name)",
        swiftSettings: habits)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: habits)
}

func door(_ name: String, _ library: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/Doors/\(name)", pkgConfig: library, providers: [.apt([apt])])
}

func tests(
    _ wing: Wing, of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/\(wing.rawValue)/\(name)Tests",
        exclude: exclude, swiftSettings: habits)
}

func rig(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Rig/\(name)", swiftSettings: habits)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioLocks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")

/// Tests that start the built programs.
let programs: [Target.Dependency] = [
    "framefastd", "framefast-camera", "framefast-picture", "framefast", "framefast-simcam",
]
/// Rooms that read foreign bytes, for the fuzzer.
let foreign: [Target.Dependency] = [
    "PictureWorker",
    "FrameFastModel", "FrameFastAPI", "WorkerProtocol", "Makers", "GPhoto2", "USBHotplug", "Cameras",
    "UploadEngine", "UploadDestinations", "ChildProcesses", "NetworkCost", "TextForms", "APIServer",
    "APIClient", "Manifests", "MQTT", "FleetMessages", "FleetLink",
    "FrameFastConfiguration", "TestRig",
]

let package = Package(
    name: "framefast-linux",
    products: [
        .executable(name: "framefastd", targets: ["framefastd"]),
        .executable(name: "framefast-camera", targets: ["framefast-camera"]),
        .executable(name: "framefast-picture", targets: ["framefast-picture"]),
        .executable(name: "framefast", targets: ["framefast"]),
        .executable(name: "framefast-simcam", targets: ["framefast-simcam"]),
    ],
    // Exact: a build of one commit has the same libraries everywhere. CONTRIBUTING.md says why there is no Package.resolved.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    ],
    targets: [
        program("framefastd", ["FrameFastDaemon", argumentParser]),
        program("framefast-camera", ["CameraWorker"]),
        program("framefast-picture", ["PictureWorker"]),
        program("framefast", ["FrameFastCLI"]),
        program("framefast-simcam", ["CameraSimulator", argumentParser]),

        room(
            .cli, "FrameFastCLI",
            [
                "FrameFastAPI", "APIClient", "TerminalUI", "TextForms", "PlainThreads", "USBTopology",
                "Localization", "CTranslations", "CLinux",
                argumentParser,
            ]),
        room(.cli, "TerminalUI", ["PlainThreads", "Localization", "CLinux"]),
        .target(
            name: "CTranslations", path: "Sources/CLI/CTranslations",
            exclude: ["de.po", "th.po", "framefast.pot"]),

        room(
            .daemon, "FrameFastDaemon",
            [
                "FrameFastModel", "FrameFastAPI", "FrameFastSystem", "WorkerProtocol", "Makers", "USBHotplug",
                "Store",
                "Cameras", "CaptureEngine", "Manifests", "UploadEngine", "UploadDestinations", "Hooks",
                "Notices",
                "NetworkCost",
                "ShotPictures", "FleetLink", "MQTT", "ChildProcesses", "APIServer", "WebServer",
                "FrameFastConfiguration",
                "TextForms",
                "SettingKeys", argumentParser, lifecycle, logging, system, unixSignals,
            ]),
        room(
            .daemon, "FrameFastConfiguration",
            [
                "FrameFastModel", "SettingKeys", "TextForms", "FrameFastAPI", "UploadDestinations", "Hooks",
                "Notices", "FleetLink",
                toml,
            ]),

        room(.api, "FrameFastAPI", ["Identities"]),
        room(
            .api, "APIServer",
            [
                "FrameFastAPI", "TextForms", "FrameFastSystem", hummingbirdCore, httpTypes, nio, nioLocks,
                nioPosix, lifecycle, logging,
            ]),
        room(.api, "APIClient", ["FrameFastAPI", "TextForms"]),

        room(
            .web, "WebServer",
            [
                "FrameFastAPI", "APIServer", "FrameFastSystem", "CWebPage", hummingbirdCore, hummingbirdTLS,
                httpTypes, nio, nioPosix, nioSSL, x509, asn1, crypto, lifecycle, logging,
            ]),
        // Files of the page, inside the program.
        .target(name: "CWebPage", path: "Sources/Web/CWebPage", exclude: ["page"]),

        room(
            .upload, "UploadEngine",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "PlainThreads", crypto, lifecycle, logging,
                system,
            ]),
        room(
            .upload, "UploadDestinations",
            [
                "FrameFastModel", "SettingKeys", "TextForms", "FrameFastSystem", "ChildProcesses",
                "PlainThreads", "UploadEngine", "CCurl", system, crypto, logging,
            ]),

        room(.automation, "Hooks", ["FrameFastModel", "ChildProcesses", lifecycle, logging]),
        room(.automation, "NetworkCost", ["FrameFastModel", "ChildProcesses", lifecycle, logging]),
        room(.automation, "Notices", ["FrameFastModel", "ChildProcesses", crypto, lifecycle, logging]),

        room(
            .capture, "CaptureEngine",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "Cameras", "WorkerProtocol", crypto, lifecycle,
                logging,
                system,
            ]),

        room(
            .capture, "Manifests",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "PlainThreads", "TextForms", "XXHash", crypto,
                lifecycle,
                logging,
                system,
            ]),

        room(
            .camera, "Cameras",
            [
                "FrameFastModel", "WorkerProtocol", "Makers", "USBHotplug", "USBTopology", "FrameFastSystem",
                "ChildProcesses", "PlainThreads", system, lifecycle, logging,
            ]),
        room(.fleet, "MQTT", ["CMosquitto", "PlainThreads", "CLinux"]),
        room(.fleet, "FleetMessages", ["FrameFastModel"]),
        room(
            .fleet, "FleetLink",
            ["MQTT", "FleetMessages", "FrameFastAPI", "FrameFastModel", lifecycle, logging]),

        room(.camera, "Makers", ["FrameFastModel", "CMakerData"]),
        // Data files of Makers, inside the program.
        .target(
            name: "CMakerData", path: "Sources/Camera/CMakerData",
            exclude: ["common.json", "Profiles", "cameras.tsv"]),
        room(.camera, "WorkerProtocol", ["FrameFastModel"]),
        room(
            .camera, "CameraWorker",
            [
                "FrameFastModel", "WorkerProtocol", "GPhoto2", "PlainThreads", "XXHash", "CLinux", "CSeccomp",
                crypto,
            ]),
        room(.camera, "GPhoto2", ["CGPhoto2"]),
        room(.camera, "USBHotplug", ["CLibUSB", "PlainThreads", "USBTopology"]),

        room(.pictures, "PictureWorker", ["CJPEG", "CSeccomp"]),
        room(.pictures, "ShotPictures", ["ChildProcesses", "FrameFastSystem", logging, system]),

        room(.ledger, "Store", ["FrameFastModel", grdb]),
        room(.model, "Identities"),
        room(.model, "FrameFastModel", ["Identities", "TextForms"]),
        room(.model, "TextForms"),
        room(.model, "Localization"),
        room(.model, "SettingKeys"),

        room(.linux, "FrameFastSystem", ["CLinux", system]),
        room(.linux, "PlainThreads", ["CLinux"]),
        room(.linux, "USBTopology"),
        room(.linux, "XXHash", ["CXXHash"]),
        room(.linux, "ChildProcesses", ["FrameFastSystem", "PlainThreads", "CLinux", subprocess, system]),

        .target(name: "CLinux", path: "Sources/Doors/CLinux"),
        .target(
            name: "CGPhoto2", path: "Sources/Doors/CGPhoto2",
            linkerSettings: [.linkedLibrary("gphoto2"), .linkedLibrary("gphoto2_port")]),
        .target(name: "CJPEG", path: "Sources/Doors/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        door("CLibUSB", "libusb-1.0", apt: "libusb-1.0-0-dev"),
        door("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        door("CSeccomp", "libseccomp", apt: "libseccomp-dev"),
        door("CMosquitto", "libmosquitto", apt: "libmosquitto-dev"),
        door("CXXHash", "libxxhash", apt: "libxxhash-dev"),

        room(.simulator, "CameraSimulator", ["PlainThreads", crypto]),

        // Programs of the workshop
        .executableTarget(
            name: "ptpip-read", dependencies: [argumentParser], path: "Benchmarks/ptpip-read",
            swiftSettings: habits),
        .executableTarget(
            name: "delay-line", dependencies: [argumentParser], path: "Benchmarks/delay-line",
            swiftSettings: habits),
        .executableTarget(
            name: "queue-cost", dependencies: ["Store", "FrameFastModel", argumentParser],
            path: "Benchmarks/queue-cost", swiftSettings: habits),
        .executableTarget(
            name: "camera-table", dependencies: ["CGPhoto2"], path: "Tools/camera-table",
            swiftSettings: habits),

        // Tests
        rig("Repository"),
        rig("TestRig", ["APIClient", "ChildProcesses", "FrameFastAPI", "Repository", crypto]),
        rig("ScriptedWorker", ["FrameFastModel", "WorkerProtocol", crypto, system]),
        rig("SurfaceTestSupport", ["APIServer", "FrameFastAPI", "Repository", lifecycle, logging]),
        .executableTarget(
            name: "usb-watch", dependencies: ["USBHotplug"], path: "Tests/Rig/USBWatch", swiftSettings: habits
        ),
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Repository", "TestRig"] + programs,
            swiftSettings: habits),
        tests(
            .programs, of: "EndToEnd",
            [
                "TestRig", "Repository", "FrameFastAPI", "APIClient", "FrameFastModel", "WorkerProtocol",
                "PictureWorker",
            ]
                + programs,
            exclude: ["Web/Gallery", "Web/Goldens"]),
        tests(.programs, of: "Manual", ["Repository", "SurfaceTestSupport", "TestRig"] + programs),
        tests(
            .programs, of: "Packaging",
            [
                "FrameFastConfiguration", "FrameFastAPI", "FrameFastDaemon", "Repository",
                "SurfaceTestSupport", "TestRig",
            ]
                + programs),
        tests(
            .cli, of: "CLI",
            [
                "FrameFastCLI", "APIServer", "APIClient", "FrameFastAPI", "Repository", "SurfaceTestSupport",
                "TerminalUI", "USBTopology", "Localization", argumentParser,
            ],
            exclude: ["Goldens"]),
        tests(
            .cli, of: "TerminalUI", ["TerminalUI", "Repository", "SurfaceTestSupport"], exclude: ["Goldens"]),
        tests(.web, of: "WebServer", ["WebServer", "FrameFastAPI"]),
        tests(.pictures, of: "PictureWorker", ["PictureWorker", "CameraSimulator"]),
        tests(
            .pictures, of: "ShotPictures", ["ShotPictures", "CameraSimulator", "TestRig", logging] + programs),
        tests(
            .daemon, of: "Daemon",
            [
                "FrameFastDaemon", "APIServer", "Cameras", "CaptureEngine", "FrameFastAPI", "FrameFastModel",
                "FrameFastSystem", "Manifests", "Repository", "ScriptedWorker", "Store", "TestRig",
                "UploadEngine",
                "WorkerProtocol",
                "FrameFastConfiguration", "SettingKeys", "SurfaceTestSupport", "UploadDestinations", "Hooks",
                "Notices", "WebServer", "ChildProcesses", lifecycle, logging, system,
            ]),
        tests(
            .daemon, of: "Configuration",
            [
                "FrameFastConfiguration", "FrameFastModel", "SettingKeys", "SurfaceTestSupport", "TestRig",
            ]),
        tests(.api, of: "FrameFastAPI", ["FrameFastAPI"]),
        tests(
            .api, of: "APIServer",
            [
                "APIServer", "APIClient", "FrameFastAPI", "FrameFastSystem", "SurfaceTestSupport", lifecycle,
                logging,
            ]),
        tests(.api, of: "APIClient", ["APIClient", "FrameFastAPI"]),
        tests(
            .upload, of: "UploadEngine",
            [
                "UploadEngine", "UploadDestinations", "Store", "FrameFastModel", "FrameFastSystem", "TestRig",
                crypto, lifecycle, logging, system,
            ]),
        tests(
            .upload, of: "UploadDestinations",
            [
                "UploadDestinations", "UploadEngine", "SettingKeys", "Store", "FrameFastModel",
                "FrameFastSystem", "ChildProcesses", "TextForms", "TestRig", "CCurl", crypto, logging, system,
            ],
            exclude: ["Servers/rig"]),
        tests(
            .automation, of: "Hooks",
            ["Hooks", "ChildProcesses", "FrameFastModel", "Store", "TestRig", logging]),
        tests(
            .automation, of: "Notices",
            [
                "Notices", "ChildProcesses", "FrameFastModel", "Store", "TestRig", "UploadDestinations",
                "UploadEngine",
                crypto, logging,
            ]),
        tests(.automation, of: "NetworkCost", ["NetworkCost", "ChildProcesses"]),
        tests(
            .capture, of: "CaptureEngine",
            [
                "CaptureEngine", "Cameras", "FrameFastModel", "FrameFastSystem", "ScriptedWorker", "Store",
                "TestRig",
                "WorkerProtocol", crypto, logging, system,
            ]),
        tests(
            .capture, of: "Manifests",
            [
                "Manifests", "FrameFastModel", "FrameFastSystem", "Store", "TestRig", "XXHash", logging,
                system,
            ]),
        tests(
            .camera, of: "Cameras",
            [
                "Cameras", "FrameFastModel", "FrameFastSystem", "Makers", "TestRig", "USBHotplug",
                "WorkerProtocol", logging, system,
            ]),
        tests(.camera, of: "Makers", ["Makers", "FrameFastModel", "Repository"]),
        tests(.camera, of: "WorkerProtocol", ["WorkerProtocol", "FrameFastModel"]),
        tests(
            .camera, of: "CameraWorker",
            [
                "CameraWorker", "Cameras", "Makers", "WorkerProtocol", "FrameFastModel", "FrameFastSystem",
                "GPhoto2",
                "TestRig",
                crypto, system, "framefast-camera", "framefast-simcam",
            ]),
        tests(.camera, of: "GPhoto2", ["CGPhoto2", "GPhoto2"]),
        tests(.camera, of: "USBHotplug", ["USBHotplug", "Repository", "TestRig", "usb-watch"]),
        tests(
            .ledger, of: "Store",
            ["Store", "FrameFastModel", "TestRig", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")]),
        tests(.model, of: "FrameFastModel", ["FrameFastModel"]),
        tests(.model, of: "TextForms", ["TextForms"]),
        tests(.model, of: "Localization", ["Localization"]),
        tests(.fleet, of: "MQTT", ["MQTT", "Repository", "TestRig"]),
        tests(.fleet, of: "FleetMessages", ["FleetMessages", "FrameFastModel"]),
        tests(
            .fleet, of: "FleetLink",
            [
                "FleetLink", "FleetMessages", "MQTT", "FrameFastAPI", "FrameFastModel", "TestRig", lifecycle,
                logging,
            ]),
        tests(.linux, of: "USBTopology", ["USBTopology", "TestRig"]),
        tests(.linux, of: "FrameFastSystem", ["FrameFastSystem", "TestRig", system]),
        tests(.linux, of: "PlainThreads", ["PlainThreads"]),
        tests(.linux, of: "ChildProcesses", ["ChildProcesses", "FrameFastSystem", "TestRig", system]),
        tests(.simulator, of: "CameraSimulator", ["CameraSimulator"]),
        .testTarget(
            name: "FuzzTests", dependencies: ["Repository"] + foreign,
            exclude: ["Corpus", "Fuzzer", "Dictionaries"], swiftSettings: habits),
    ]
)

// What `scripts/fuzz` builds: the rooms so that libFuzzer sees their branches, and a program that feeds them.
if let fuzzer = Context.environment["FRAMEFAST_FUZZER"] {
    let seen: [String] =
        ["-sanitize=fuzzer", "-parse-as-library", "-enable-testing", "-O"]
        + ["-assert-config", "Debug"].flatMap { ["-Xfrontend", $0] }
    package.products = []
    package.targets.removeAll { $0.type == .test }
    for room in package.targets where room.type == .regular { room.swiftSettings? += [.unsafeFlags(seen)] }
    package.targets.append(
        .executableTarget(
            name: "framefast-fuzz", dependencies: foreign, path: "Tests/FuzzTests",
            sources: ["Targets", "Fuzzer"], swiftSettings: habits + [.unsafeFlags(seen)],
            linkerSettings: [.unsafeFlags([fuzzer, "-lstdc++"])]))
}
