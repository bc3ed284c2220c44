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

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, swiftSettings: habits)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "framefast-linux",
    products: [
        .executable(name: "framefastd", targets: ["framefastd"]),
        .executable(name: "framefast-camera", targets: ["framefast-camera"]),
        .executable(name: "framefast", targets: ["framefast"]),
        .executable(name: "framefast-simcam", targets: ["framefast-simcam"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Doors to C
        .target(name: "CGPhoto2", linkerSettings: [.linkedLibrary("gphoto2"), .linkedLibrary("gphoto2_port")]),
        .target(name: "CLinux"),

        // Nouns, rules and wires
        room("FrameFastModel"),
        room("FrameFastAPI"),
        room("FrameFastSystem", [system]),
        room("WorkerProtocol", ["FrameFastModel"]),

        // Rooms that do things
        room("GPhoto2", ["CGPhoto2"]),
        room("Store", ["FrameFastModel", "FrameFastSystem", grdb]),
        room("Cameras", ["FrameFastModel", "WorkerProtocol", "FrameFastSystem", subprocess, system, lifecycle, logging]),
        room("CaptureEngine", ["FrameFastModel", "Store", "FrameFastSystem", "Cameras", lifecycle, logging]),
        room("APIServer", ["FrameFastAPI", "FrameFastModel", "FrameFastSystem", hummingbird, lifecycle, logging]),
        room("APIClient", ["FrameFastAPI", "FrameFastSystem"]),
        room("CameraSimulator", [crypto]),

        // Programs
        program(
            "framefastd",
            [
                "FrameFastModel", "FrameFastAPI", "FrameFastSystem", "Store", "Cameras", "CaptureEngine", "APIServer",
                argumentParser, lifecycle, logging, toml,
            ]),
        program("framefast-camera", ["FrameFastModel", "WorkerProtocol", "GPhoto2", "CLinux", crypto]),
        program("framefast", ["FrameFastAPI", "APIClient", argumentParser]),
        program("framefast-simcam", ["CameraSimulator", argumentParser]),

        // Tests
        tests(of: "FrameFastModel", ["FrameFastModel"]),
        tests(of: "WorkerProtocol", ["WorkerProtocol", "FrameFastModel"]),
        tests(of: "GPhoto2", ["GPhoto2"]),
        tests(
            of: "CameraWorker",
            ["WorkerProtocol", "FrameFastModel", "framefast-camera", "framefast-simcam", crypto]),
    ]
)
