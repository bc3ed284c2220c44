// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is built the same way: Swift 6 mode, explicit import visibility, `any` spelled out.
let habits: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: habits)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: habits)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: habits)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
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

let package = Package(
    name: "framefast-linux",
    products: [
        .executable(name: "framefastd", targets: ["framefastd"]),
        .executable(name: "framefast-camera", targets: ["framefast-camera"]),
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
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
    ],
    targets: [
        // Doors to C
        .target(
            name: "CGPhoto2", linkerSettings: [.linkedLibrary("gphoto2"), .linkedLibrary("gphoto2_port")]),
        .target(name: "CLinux"),
        .systemLibrary(name: "CLibUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // Data files of Makers, inside the program.
        .target(name: "CMakerData", exclude: ["makers.json", "cameras.tsv"]),

        // Nouns, rules and wires
        room("FrameFastModel"),
        room("Makers", ["FrameFastModel", "CMakerData"]),
        room("FrameFastAPI"),
        room("FrameFastSystem", ["CLinux", system]),
        room("PlainThreads", ["CLinux"]),
        room("WorkerProtocol", ["FrameFastModel"]),

        // Rooms that do things
        room("GPhoto2", ["CGPhoto2"]),
        room("USBHotplug", ["CLibUSB", "CLinux"]),
        room("Store", ["FrameFastModel", "FrameFastSystem", grdb]),
        room(
            "Cameras",
            [
                "FrameFastModel", "WorkerProtocol", "Makers", "USBHotplug", "FrameFastSystem", subprocess,
                system,
                lifecycle, logging,
            ]),
        room(
            "CaptureEngine",
            [
                "FrameFastModel", "Store", "FrameFastSystem", "Cameras", "WorkerProtocol", crypto, lifecycle,
                logging, system,
            ]),
        room("UploadEngine", ["FrameFastModel", "Store", "FrameFastSystem", crypto, lifecycle, logging]),
        room(
            "UploadDestinations",
            [
                "FrameFastModel", "FrameFastSystem", "UploadEngine", "CCurl", subprocess, system, crypto,
                lifecycle,
                logging,
            ]),
        room(
            "APIServer",
            [
                "FrameFastAPI", "FrameFastSystem", hummingbirdCore, httpTypes, nio, nioLocks, nioPosix,
                lifecycle,
                logging,
            ]),
        room("APIClient", ["FrameFastAPI"]),
        room("TerminalUI", ["PlainThreads", "CLinux"]),
        room("CameraSimulator", ["PlainThreads", crypto]),

        // Programs
        program(
            "framefastd",
            [
                "FrameFastModel", "FrameFastAPI", "FrameFastSystem", "WorkerProtocol", "Makers", "USBHotplug",
                "Store",
                "Cameras", "CaptureEngine", "UploadEngine", "UploadDestinations", "APIServer", argumentParser,
                lifecycle, logging, system, toml,
                unixSignals,
            ]),
        program(
            "framefast-camera",
            ["FrameFastModel", "WorkerProtocol", "GPhoto2", "PlainThreads", "CLinux", "CSeccomp", crypto]),
        program(
            "framefast",
            ["FrameFastAPI", "APIClient", "TerminalUI", "PlainThreads", "CLinux", argumentParser]),
        program("framefast-simcam", ["CameraSimulator", argumentParser]),
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
        .executableTarget(
            name: "usb-watch", dependencies: ["USBHotplug"], path: "Tests/USBWatch", swiftSettings: habits),
        tests(of: "PlainThreads", ["PlainThreads"]),
        tests(of: "USBHotplug", ["USBHotplug", "TestRig", "usb-watch"]),
        .target(
            name: "TestRig", dependencies: ["APIClient", "FrameFastAPI", crypto], path: "Tests/TestRig",
            swiftSettings: habits),
        tests(
            of: "EndToEnd",
            [
                "TestRig", "FrameFastAPI", "APIClient", "FrameFastModel", "WorkerProtocol", "framefastd",
                "framefast-camera", "framefast-simcam", "framefast",
            ]),
        tests(
            of: "Architecture",
            ["TestRig", "framefastd", "framefast-camera", "framefast-simcam", "framefast"]),
        tests(of: "FrameFastModel", ["FrameFastModel"]),
        .target(
            name: "ScriptedWorker", dependencies: ["FrameFastModel", "WorkerProtocol", crypto, system],
            path: "Tests/ScriptedWorker", swiftSettings: habits),
        tests(
            of: "Daemon",
            [
                "framefastd", "APIServer", "Cameras", "CaptureEngine", "FrameFastAPI", "FrameFastModel",
                "FrameFastSystem", "ScriptedWorker", "Store", "TestRig", "UploadEngine", "WorkerProtocol",
                logging,
            ]),
        tests(of: "Makers", ["Makers", "FrameFastModel"]),
        tests(
            of: "Cameras",
            ["Cameras", "FrameFastModel", "FrameFastSystem", "Makers", "WorkerProtocol", logging]),
        tests(
            of: "CaptureEngine",
            [
                "CaptureEngine", "Cameras", "FrameFastModel", "FrameFastSystem", "ScriptedWorker", "Store",
                "TestRig", "WorkerProtocol", crypto, logging, system,
            ]),
        tests(of: "FrameFastAPI", ["FrameFastAPI"]),
        .target(
            name: "SurfaceTestSupport", dependencies: ["APIServer", "FrameFastAPI", lifecycle, logging],
            path: "Tests/SurfaceTestSupport", swiftSettings: habits),
        tests(
            of: "APIServer",
            [
                "APIServer", "APIClient", "FrameFastAPI", "FrameFastSystem", "SurfaceTestSupport", lifecycle,
                logging,
            ]),
        tests(of: "APIClient", ["APIClient", "FrameFastAPI"]),
        tests(
            of: "Manual", ["SurfaceTestSupport", "TestRig", "framefast", "framefastd", "framefast-simcam"]),
        tests(
            of: "Packaging",
            ["FrameFastAPI", "SurfaceTestSupport", "TestRig", "framefast", "framefastd", "framefast-simcam"]),
        tests(of: "TerminalUI", ["TerminalUI", "SurfaceTestSupport"], exclude: ["Goldens"]),
        tests(
            of: "CLI",
            ["framefast", "APIServer", "APIClient", "FrameFastAPI", "SurfaceTestSupport", "TerminalUI"],
            exclude: ["Goldens"]),
        tests(
            of: "Configuration",
            [
                "framefastd", "FrameFastModel", "UploadDestinations", "UploadEngine", "SurfaceTestSupport",
                system,
            ]),
        tests(
            of: "Store",
            ["Store", "FrameFastModel", "TestRig", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")]),
        tests(
            of: "UploadEngine",
            [
                "UploadEngine", "UploadDestinations", "Store", "FrameFastModel", "FrameFastSystem", "TestRig",
                crypto,
                lifecycle, logging,
            ]),
        tests(
            of: "UploadDestinations",
            [
                "UploadDestinations", "UploadEngine", "Store", "FrameFastModel", "FrameFastSystem", "TestRig",
                "CCurl",
                crypto,
                lifecycle, logging,
            ],
            exclude: ["Servers/rig"]),
        tests(of: "CameraSimulator", ["CameraSimulator"]),
        tests(of: "WorkerProtocol", ["WorkerProtocol", "FrameFastModel"]),
        tests(of: "GPhoto2", ["GPhoto2"]),
        tests(
            of: "CameraWorker",
            [
                "Cameras", "WorkerProtocol", "FrameFastModel", "FrameFastSystem", "framefast-camera",
                "GPhoto2",
                "framefast-simcam", "TestRig", crypto,
            ]),
        tests(
            of: "Fuzz",
            [
                "FrameFastModel", "FrameFastAPI", "WorkerProtocol", "Makers", "GPhoto2", "USBHotplug",
                "Cameras",
                "UploadEngine", "UploadDestinations", "APIServer", "APIClient", "framefastd", "TestRig",
            ],
            exclude: ["Corpus", "Fuzzer", "Dictionaries"]),
    ]
)

// What `scripts/fuzz` builds: the rooms so that libFuzzer sees their branches, and a program that feeds them. The service
// is a library then, because a program cannot load another one's configuration.
if let fuzzer = Context.environment["FRAMEFAST_FUZZER"] {
    let feeds = package.targets.first { $0.name == "FuzzTests" }?.dependencies ?? []
    let service = package.targets.first { $0.name == "framefastd" }?.dependencies ?? []
    let seen: [String] =
        ["-sanitize=fuzzer", "-parse-as-library", "-enable-testing", "-O"]
        + ["-assert-config", "Debug"].flatMap { ["-Xfrontend", $0] }
    package.products = []
    package.targets.removeAll { $0.type == .test || $0.name == "framefastd" }
    for room in package.targets where room.type == .regular { room.swiftSettings? += [.unsafeFlags(seen)] }
    package.targets += [
        .target(
            name: "framefastd", dependencies: service,
            swiftSettings: habits + [
                .unsafeFlags(seen),
                .unsafeFlags(
                    ["-entry-point-function-name", "framefastd_main"].flatMap { ["-Xfrontend", $0] }),
            ]),
        .executableTarget(
            name: "framefast-fuzz", dependencies: feeds, path: "Tests/FuzzTests",
            sources: ["Targets", "Fuzzer"], swiftSettings: habits + [.unsafeFlags(seen)],
            linkerSettings: [.unsafeFlags([fuzzer, "-lstdc++"])]),
    ]
}
