import Foundation
import Repository

/// The drawing: which wing stands on which, as ARCHITECTURE.md has it. A new arrow is entered there and here, with a reason.
enum Wings {
    static let standsOn: [String: Set<String>] = [
        "Programs": ["CLI", "Daemon", "Camera", "Pictures", "Simulator"],
        "CLI": ["API", "Model", "Linux", "Doors"],
        "Daemon": ["API", "Automation", "Upload", "Capture", "Camera", "Ledger", "Model", "Linux"],
        "API": ["Model", "Linux"],
        "Automation": ["Model", "Linux"],
        "Upload": ["Ledger", "Model", "Linux", "Doors"],
        "Capture": ["Camera", "Ledger", "Model", "Linux"],
        "Camera": ["Model", "Linux", "Doors"],
        "Pictures": ["Doors"],
        "Ledger": ["Model", "Linux"],
        "Model": [],
        "Linux": ["Doors"],
        "Doors": [],
        "Simulator": ["Linux"],
    ]
}

/// A room as `Package.swift` declares it: a module may import what stands there and nothing else, though the compiler
/// would let it import what comes along.
struct Room: Hashable, Sendable {
    var name: String
    var wing: String
    /// Modules, ours and of packages.
    var imports: Set<String>

    /// Every room and program of the manifest, by name.
    static let all: [String: Room] = {
        guard let manifest = try? String(contentsOf: Repository.file("Package.swift"), encoding: .utf8) else {
            return [:]
        }
        let packages = Dictionary(
            manifest.matches(
                of: /let (?<short>\w+): Target\.Dependency = \.product\(name: "(?<module>\w+)"/
            ).map { (String($0.short), String($0.module)) }, uniquingKeysWith: { first, _ in first })
        var rooms: [Room] = []
        for room in manifest.matches(
            of: /(?:room\(\s*\.(?<wing>\w+),|program\()\s*"(?<name>[\w-]+)"(?:,\s*\[(?<needs>[^\]]*)\])?/)
        {
            let needs = (room.needs ?? "").split { ",\n ".contains($0) }.map { need in
                need.hasPrefix("\"")
                    ? String(need.dropFirst().dropLast()) : packages[String(need)] ?? String(need)
            }
            rooms.append(
                Room(
                    name: String(room.name), wing: room.wing.map(String.init) ?? "programs",
                    imports: Set(needs)))
        }
        return Dictionary(rooms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// What comes with Swift and the system, allowed everywhere.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
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
