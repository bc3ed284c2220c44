// swift-tools-version: 6.2
import PackageDescription

/// The settings of all Swift targets: explicit import visibility, `any` spelled out, warnings as errors.
let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The layers, described in ARCHITECTURE.md.
enum Layer: String {
    case programs = "Programs"
    case cli = "CLI"
    case daemon = "Daemon"
    case api = "API"
    case upload = "Upload"
    case automation = "Automation"
    case capture = "Capture"
    case camera = "Camera"
    case pictures = "Pictures"
    case ledger = "Ledger"
    case model = "Model"
    case linux = "Linux"
    case cModules = "CModules"
    case simulator = "Simulator"
    /// Support for tests.
    case rig = "Rig"
}

func module(_ layer: Layer, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(layer.rawValue)/\(name)",
        swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: swiftSettings
    )
}

func cModule(_ name: String, _ library: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/CModules/\(name)", pkgConfig: library, providers: [.apt([apt])])
}

func tests(
    _ layer: Layer, of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, path: "Tests/\(layer.rawValue)/\(name)Tests",
        exclude: exclude, swiftSettings: swiftSettings)
}

func rig(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Rig/\(name)", swiftSettings: swiftSettings)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")

/// The programs of the package, for tests that start them.
let programs: [Target.Dependency] = [
    "framefastd", "framefast-camera", "framefast-picture", "framefast", "framefast-simcam",
]
/// Modules that parse untrusted data, for the fuzzer.
let parsers: [Target.Dependency] = [
    "FrameFastModel", "FrameFastAPI", "WorkerProtocol", "Makers", "GPhoto2", "USBHotplug", "Cameras",
    "UploadEngine", "UploadDestinations", "ChildProcesses", "NetworkCost", "TextForms", "APIServer",
    "APIClient", "WebPairing", "WebServer", "FrameFastConfiguration", "PictureProtocol", "PreviewFormats",
    "TestRig",
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
    // Exact: a build of one commit has the same libraries everywhere. CONTRIBUTING.md says why there is no
    // Package.resolved.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // Without traits, so that SwiftPM does not build swift-configuration, which nothing here uses.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
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

        module(
            .cli, "FrameFastCLI",
            [
                "FrameFastAPI", "APIClient", "TerminalUI", "TextForms", "SystemIO", "CLinux",
                argumentParser,
            ]),
        module(.cli, "TerminalUI", ["DesignTokens", "SystemIO", "CLinux"]),

        module(
            .daemon, "FrameFastDaemon",
            [
                "FrameFastModel", "FrameFastAPI", "FrameFastSystem", "WorkerProtocol", "Makers", "USBHotplug",
                "Store",
                "Cameras", "CaptureEngine", "UploadEngine", "UploadDestinations", "Hooks", "NetworkCost",
                "ChildProcesses", "APIServer", "FrameFastConfiguration", "PictureProtocol", "Previews",
                "TextForms", "WebPairing", "WebServer", "SettingKeys", "SystemIO", argumentParser, lifecycle,
                logging, system, unixSignals,
            ]),
        module(
            .daemon, "FrameFastConfiguration",
            [
                "FrameFastModel", "SettingKeys", "TextForms", "FrameFastAPI", "UploadDestinations", "Hooks",
                toml,
            ]),

        module(.api, "FrameFastAPI", ["Identities", "Vocabulary", "TextForms"]),
        module(
            .api, "APIServer",
            [
                "FrameFastAPI", "CAPIDocument", "TextForms", "WebPairing", "FrameFastSystem", "SystemIO",
                hummingbirdCore, httpTypes, nio, nioHTTP1, nioHTTPTypes, nioPosix, lifecycle, logging,
            ]),
        // The OpenAPI document, inside the program.
        .target(name: "CAPIDocument", path: "Sources/API/CAPIDocument"),
        module(
            .api, "WebServer",
            [
                "FrameFastAPI", "APIServer", "Identities", "TextForms", "WebPage", "WebPairing",
                "FrameFastSystem",
                hummingbirdCore,
                httpTypes, nio, nioPosix, nioSSL, crypto, asn1, x509, lifecycle, logging,
            ]),
        module(.api, "WebPage", ["CWebPage", "DesignTokens", "Vocabulary", crypto]),
        // The files of the web page, inside the program.
        .target(name: "CWebPage", path: "Sources/API/CWebPage", exclude: ["Page"]),
        module(.api, "APIClient", ["FrameFastAPI", "TextForms", "SystemIO"]),

        module(
            .upload, "UploadEngine",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "SystemIO", crypto, lifecycle, logging,
                system,
            ]),
        module(
            .upload, "UploadDestinations",
            [
                "FrameFastModel", "SettingKeys", "TextForms", "FrameFastSystem", "ChildProcesses",
                "SystemIO", "UploadEngine", "CCurl", system, crypto, lifecycle, logging,
            ]),

        module(
            .automation, "Hooks",
            ["FrameFastModel", "FrameFastSystem", "ChildProcesses", lifecycle, logging]),
        module(
            .automation, "NetworkCost",
            ["FrameFastModel", "FrameFastSystem", "ChildProcesses", lifecycle, logging]),

        module(
            .capture, "CaptureEngine",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "Cameras", "WorkerProtocol", "TextForms",
                crypto,
                lifecycle, logging, system,
            ]),

        module(
            .camera, "Cameras",
            [
                "FrameFastModel", "WorkerProtocol", "Makers", "USBHotplug", "FrameFastSystem",
                "ChildProcesses", "SystemIO", system, lifecycle, logging,
            ]),
        module(.camera, "Makers", ["FrameFastModel", "CMakerData"]),
        // Data files of Makers, inside the program.
        .target(
            name: "CMakerData", path: "Sources/Camera/CMakerData",
            exclude: ["common.json", "Profiles", "cameras.tsv"]),
        module(.camera, "WorkerProtocol", ["FrameFastModel"]),
        module(
            .camera, "CameraWorker",
            ["FrameFastModel", "WorkerProtocol", "GPhoto2", "SystemIO", "CLinux", "CSeccomp", crypto]),
        module(.camera, "GPhoto2", ["CGPhoto2", "SystemIO"]),
        module(.camera, "USBHotplug", ["CLibUSB", "CLinux", "SystemIO"]),

        module(.pictures, "PictureProtocol"),
        // Finds the JPEGs in a photo's file.
        module(.pictures, "PreviewFormats"),
        module(
            .pictures, "PictureWorker",
            ["PictureProtocol", "PreviewFormats", "SystemIO", "CJPEG", "CLCMS", "CLinux", "CSeccomp"]),

        module(.ledger, "Store", ["FrameFastModel", "FrameFastSystem", "WebPairing", grdb]),
        module(
            .pictures, "Previews",
            [
                "PictureProtocol", "FrameFastModel", "FrameFastSystem", "SystemIO", "ChildProcesses",
                lifecycle,
                logging, system,
            ]),

        module(.model, "Identities"),
        module(.model, "Vocabulary"),
        module(.model, "DesignTokens", ["Vocabulary"]),
        module(.model, "FrameFastModel", ["Identities", "Vocabulary", "TextForms"]),
        module(.model, "TextForms"),
        module(.model, "SettingKeys"),
        module(.model, "WebPairing", ["Identities", "Vocabulary", crypto]),

        module(.linux, "FrameFastSystem", ["SystemIO", "CLinux", system]),
        module(.linux, "SystemIO", ["CLinux"]),
        module(.linux, "ChildProcesses", ["FrameFastSystem", "SystemIO", "CLinux", subprocess, system]),

        .target(name: "CLinux", path: "Sources/CModules/CLinux"),
        .target(
            name: "CGPhoto2", path: "Sources/CModules/CGPhoto2",
            linkerSettings: [.linkedLibrary("gphoto2"), .linkedLibrary("gphoto2_port")]),
        .target(name: "CJPEG", path: "Sources/CModules/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CLCMS", path: "Sources/CModules/CLCMS", linkerSettings: [.linkedLibrary("lcms2")]),
        cModule("CLibUSB", "libusb-1.0", apt: "libusb-1.0-0-dev"),
        cModule("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        cModule("CSeccomp", "libseccomp", apt: "libseccomp-dev"),

        module(.simulator, "CameraSimulator", ["SystemIO", crypto]),

        // Programs for benchmarks and maintenance
        .executableTarget(
            name: "ptpip-read", dependencies: [argumentParser], path: "Benchmarks/ptpip-read",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "delay-line", dependencies: ["CLinux", argumentParser], path: "Benchmarks/delay-line",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "queue-cost", dependencies: ["Store", "FrameFastModel", argumentParser],
            path: "Benchmarks/queue-cost", swiftSettings: swiftSettings),
        .executableTarget(
            name: "camera-table", dependencies: ["CGPhoto2"], path: "Tools/camera-table",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "command-files", path: "Tools/command-files", swiftSettings: swiftSettings),

        // Tests
        tests(.rig, of: "TestRig", ["TestRig"]),
        tests(.rig, of: "TestPictures", ["FrameFastModel", "PictureWorker", "TestPictures"]),
        rig("Repository"),
        rig("TestPictures", ["CameraSimulator"]),
        rig(
            "TestRig",
            [
                "APIClient", "CaptureEngine", "ChildProcesses", "FrameFastAPI", "FrameFastModel",
                "FrameFastSystem", "Repository", "Store", "SystemIO", crypto,
            ]),
        rig("PreviewSamples"),
        rig(
            "ScriptedWorker",
            [
                "ChildProcesses", "FrameFastModel", "FrameFastSystem", "PictureProtocol", "SystemIO",
                "WorkerProtocol", crypto, system,
            ]),
        rig(
            "SurfaceTestSupport",
            ["APIServer", "FrameFastAPI", "FrameFastSystem", "Repository", "TerminalUI", lifecycle, logging]),
        rig(
            "Simulation",
            [
                "Cameras", "CaptureEngine", "ChildProcesses", "FrameFastModel", "FrameFastSystem", "Hooks",
                "Store", "UploadEngine", "WorkerProtocol", crypto, logging, system,
            ]),
        .executableTarget(
            name: "framefast-simulate", dependencies: ["Simulation"], path: "Tests/Rig/SimulationProgram",
            swiftSettings: swiftSettings),
        tests(
            .rig, of: "Simulation",
            [
                "FrameFastSystem", "Repository", "Simulation", "SystemIO", "TestRig", "framefast-simulate",
                system,
            ]),
        .executableTarget(
            name: "usb-watch", dependencies: ["USBHotplug"], path: "Tests/Rig/USBWatch",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Repository", "TestRig"] + programs,
            swiftSettings: swiftSettings),
        tests(
            .programs, of: "EndToEnd",
            ["TestRig", "Repository", "FrameFastAPI", "APIClient", "FrameFastModel", "WorkerProtocol"]
                + programs),
        tests(
            .programs, of: "Browser",
            [
                "APIClient", "FrameFastAPI", "Repository", "SurfaceTestSupport", "TestPictures", "TestRig",
                "WebPage",
            ] + programs, exclude: ["Gallery", "Goldens"]),
        tests(.programs, of: "Manual", ["Repository", "TestRig", "command-files"] + programs),
        tests(
            .programs, of: "Packaging",
            [
                "APIClient", "FrameFastConfiguration", "FrameFastAPI", "FrameFastDaemon", "FrameFastSystem",
                "Repository", "SurfaceTestSupport", "TestRig",
            ]
                + programs),
        tests(
            .cli, of: "CLI",
            [
                "FrameFastCLI", "APIServer", "APIClient", "CameraWorker", "FrameFastAPI", "Repository",
                "SurfaceTestSupport", "TerminalUI", "TestRig",
            ],
            exclude: ["Goldens"]),
        tests(
            .cli, of: "TerminalUI", ["TerminalUI", "Repository", "SurfaceTestSupport"], exclude: ["Goldens"]),
        tests(
            .pictures, of: "PictureWorker",
            [
                "PictureWorker", "PictureProtocol", "PreviewFormats", "PreviewSamples", "ChildProcesses",
                "FrameFastSystem", "CJPEG", "SystemIO", "TestRig", "framefast-picture", system,
            ]),
        tests(.pictures, of: "PictureProtocol", ["PictureProtocol", "TestRig"]),
        tests(.pictures, of: "PreviewFormats", ["PreviewFormats", "PreviewSamples", "TestRig"]),
        tests(
            .pictures, of: "Previews",
            [
                "Previews", "ChildProcesses", "FrameFastModel", "FrameFastSystem", "PictureProtocol",
                "ScriptedWorker", "TestRig", lifecycle, logging, system,
            ]),
        tests(
            .daemon, of: "Daemon",
            [
                "FrameFastDaemon", "APIServer", "Cameras", "CaptureEngine", "FrameFastAPI", "FrameFastModel",
                "FrameFastSystem", "Repository", "ScriptedWorker", "Store", "TestRig", "UploadEngine",
                "WorkerProtocol", "Makers",
                "FrameFastConfiguration", "SettingKeys", "SurfaceTestSupport", "UploadDestinations", "Hooks",
                "NetworkCost", "ChildProcesses", "PictureProtocol", "Previews", "WebPairing", "WebServer",
                logging, system,
            ],
            exclude: ["Goldens"]),
        tests(
            .daemon, of: "Configuration",
            [
                "FrameFastConfiguration", "FrameFastModel", "SettingKeys", "UploadDestinations",
                "SurfaceTestSupport", "TestRig",
            ]),
        tests(.api, of: "FrameFastAPI", ["FrameFastAPI"]),
        tests(
            .api, of: "APIServer",
            [
                "APIServer", "APIClient", "FrameFastAPI", "FrameFastSystem", "WebPairing",
                "SurfaceTestSupport", hummingbirdCore, httpTypes, nio, nioEmbedded, nioHTTPTypes, lifecycle,
                logging,
            ]),
        tests(
            .api, of: "WebServer",
            [
                "WebServer", "APIServer", "FrameFastAPI", "FrameFastSystem", "SurfaceTestSupport",
                "WebPage", "WebPairing",
                crypto, httpTypes, nio, nioEmbedded, nioPosix, nioSSL, lifecycle, logging,
            ]),
        tests(.api, of: "APIClient", ["APIClient", "FrameFastAPI", "SystemIO"]),
        tests(.api, of: "WebPage", ["WebPage", "DesignTokens", "Repository", "Vocabulary"]),
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
                "FrameFastSystem", "ChildProcesses", "TextForms", "TestRig", "CCurl", crypto, lifecycle,
                logging,
            ],
            exclude: ["Servers/rig"]),
        tests(
            .automation, of: "Hooks",
            ["Hooks", "ChildProcesses", "FrameFastModel", "TestRig", lifecycle, logging]),
        tests(
            .automation, of: "NetworkCost",
            ["NetworkCost", "ChildProcesses", "FrameFastModel", "TestRig", logging]),
        tests(
            .capture, of: "CaptureEngine",
            [
                "CaptureEngine", "Cameras", "FrameFastModel", "FrameFastSystem", "Makers", "ScriptedWorker",
                "Store", "TestRig", "WorkerProtocol", crypto, grdb, logging, system,
            ]),
        tests(
            .camera, of: "Cameras",
            [
                "Cameras", "ChildProcesses", "FrameFastModel", "FrameFastSystem", "Makers", "ScriptedWorker",
                "TestRig", "WorkerProtocol", logging, system,
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
        tests(.camera, of: "GPhoto2", ["CGPhoto2", "GPhoto2", "SystemIO", "TestRig"]),
        tests(.camera, of: "USBHotplug", ["USBHotplug", "Repository", "TestRig", "usb-watch"]),
        tests(
            .ledger, of: "Store",
            [
                "Store", "FrameFastModel", "WebPairing", "TestRig", grdb,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        tests(.model, of: "FrameFastModel", ["FrameFastModel"]),
        tests(.model, of: "TextForms", ["TextForms"]),
        tests(.model, of: "WebPairing", ["WebPairing", "Identities", "Vocabulary"]),
        tests(.model, of: "DesignTokens", ["DesignTokens"]),
        tests(.linux, of: "FrameFastSystem", ["FrameFastSystem", "TestRig", system]),
        tests(.linux, of: "SystemIO", ["SystemIO", "CLinux", "TestRig"]),
        tests(.linux, of: "ChildProcesses", ["ChildProcesses", "TestRig"]),
        tests(.simulator, of: "CameraSimulator", ["CameraSimulator", "SystemIO", "TestRig"]),
        .testTarget(
            name: "FuzzTests", dependencies: ["Repository"] + parsers,
            exclude: ["Corpus", "Fuzzer", "Dictionaries"], swiftSettings: swiftSettings),
    ]
)

// The build of `scripts/fuzz`: our modules with coverage for libFuzzer, and the program that feeds them.
if let fuzzer = Context.environment["FRAMEFAST_FUZZER"] {
    let seen: [String] =
        ["-sanitize=fuzzer", "-parse-as-library", "-enable-testing", "-O"]
        + ["-assert-config", "Debug"].flatMap { ["-Xfrontend", $0] }
    package.products = []
    package.targets.removeAll { $0.type == .test }
    for module in package.targets where module.type == .regular {
        module.swiftSettings? += [.unsafeFlags(seen)]
    }
    package.targets.append(
        .executableTarget(
            name: "framefast-fuzz", dependencies: parsers, path: "Tests/FuzzTests",
            sources: ["Targets", "Fuzzer"], swiftSettings: swiftSettings + [.unsafeFlags(seen)],
            linkerSettings: [.unsafeFlags([fuzzer, "-lstdc++"])]))
}

// The optimized build of `scripts/simulate`. Its modules can run a simulation, like those of a debug build.
// Installed programs must not run a simulation, so this build contains no other program.
if Context.environment["FRAMEFAST_SIMULATION"] != nil {
    package.products = []
    package.targets.removeAll { target in
        target.type == .test || target.type == .executable && target.name != "framefast-simulate"
    }
    for module in package.targets where ["FrameFastSystem", "Simulation"].contains(module.name) {
        module.swiftSettings? += [.define("FRAMEFAST_SIMULATION")]
    }
}
