import Foundation
import Repository

/// The drawing: which wing stands on which, as ARCHITECTURE.md has it. A new arrow is entered there and here, with a reason.
enum Wings {
    static let standsOn: [String: Set<String>] = [
        "Programs": ["CLI", "Daemon", "Camera", "Pictures", "Simulator"],
        "CLI": ["API", "Model", "Linux", "Doors"],
        "Daemon": [
            "API", "Web", "Automation", "Fleet", "Upload", "Capture", "Camera", "Pictures", "Ledger", "Model",
            "Linux",
        ],
        "API": ["Model", "Linux"],
        "Web": ["API", "Linux"],
        "Automation": ["Model", "Linux"],
        "Fleet": ["API", "Model", "Linux", "Doors"],
        "Upload": ["Ledger", "Model", "Linux", "Doors"],
        "Capture": ["Camera", "Ledger", "Model", "Linux"],
        "Camera": ["Model", "Linux", "Doors"],
        "Pictures": ["Linux", "Doors"],
        "Ledger": ["Model", "Linux"],
        "Model": [],
        "Linux": ["Doors"],
        "Doors": [],
        "Simulator": ["Linux"],
    ]
}

/// A room, program or suite as `Package.swift` declares it: a module may import what stands there and nothing else,
/// though the compiler lets it import what comes along, or what happens to be built already.
struct Room: Decodable, Sendable {
    var name: String
    /// `regular`, `executable`, `test`, `system`.
    var type: String
    /// Its folder in the repository; none where SwiftPM's own place is meant.
    var path: String?
    private var dependencies: [[String: [JSONText]]]

    /// Modules, ours and of packages.
    var imports: Set<String> {
        Set(dependencies.flatMap(\.values).compactMap { $0.first?.text })
    }

    /// Name of the wing, by its folder.
    var wing: String { path.map { String($0.split(separator: "/")[1]) } ?? "" }
    /// Folder with its files.
    var folder: String { path ?? "Tests/\(name)" }

    /// Everything that the manifest declares, by name, as SwiftPM reads it.
    static let all: [String: Room] = {
        let dump = Process()
        let output = Pipe()
        dump.executableURL = URL(filePath: "/usr/bin/env")
        // A build folder of its own: the one of this checkout is locked while tests run.
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "framefast-test-manifest-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        dump.arguments = ["swift", "package", "--scratch-path", scratch.path, "dump-package"]
        dump.currentDirectoryURL = Repository.root
        dump.standardOutput = output
        guard (try? dump.run()) != nil else { return [:] }
        let manifest = output.fileHandleForReading.readDataToEndOfFile()
        dump.waitUntilExit()
        let rooms = (try? JSONDecoder().decode(Manifest.self, from: manifest))?.targets ?? []
        return Dictionary(rooms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    private struct Manifest: Decodable {
        var targets: [Room]
    }

    /// A dependency is a list of texts, nulls and conditions; the first is its name.
    private struct JSONText: Decodable, Sendable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    /// What comes with Swift and the system, allowed everywhere.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Testing",
    ]

    /// Libraries that a built program must not load.
    static let unwanted: [String: [String]] = [
        "framefastd": ["libgphoto2", "libseccomp", "libjpeg"],
        "framefast": ["libgphoto2", "libusb", "libsqlite3", "libjpeg"],
        "framefast-picture": ["libgphoto2", "libusb", "libsqlite3", "libcurl", "libcrypto"],
        "framefast-simcam": ["libgphoto2", "libusb", "libsqlite3"],
        "framefast-camera": ["libsqlite3", "libcurl"],
    ]
}
