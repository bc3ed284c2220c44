import Foundation
import Repository

/// The layers and their dependencies, as in ARCHITECTURE.md. Enter a new dependency in both places, with a
/// reason.
enum Layers {
    static let dependencies: [String: Set<String>] = [
        "Programs": ["CLI", "Daemon", "Camera", "Pictures", "Simulator"],
        "CLI": ["API", "Model", "Linux", "CModules"],
        "Daemon": [
            "API", "Automation", "Upload", "Capture", "Camera", "Pictures", "Ledger", "Model", "Linux",
        ],
        "API": ["Model", "Linux"],
        "Automation": ["Model", "Linux"],
        "Upload": ["Ledger", "Model", "Linux", "CModules"],
        "Capture": ["Camera", "Ledger", "Model", "Linux"],
        "Camera": ["Model", "Linux", "CModules"],
        "Pictures": ["Model", "Linux", "CModules"],
        "Ledger": ["Model", "Linux"],
        "Model": [],
        "Linux": ["CModules"],
        "CModules": [],
        "Simulator": ["Linux"],
    ]
}

/// A module, with the imports that `Package.swift` declares. The compiler would also accept imports of
/// indirect dependencies.
struct Module: Hashable, Sendable {
    var name: String
    var layer: String
    /// The modules that the module may import, from this package and from other packages.
    var imports: Set<String>

    /// All modules and programs of the manifest, by name.
    static let all: [String: Module] = {
        guard let manifest = try? String(contentsOf: Repository.file("Package.swift"), encoding: .utf8) else {
            return [:]
        }
        let packages = Dictionary(
            manifest.matches(
                of: /let (?<short>\w+): Target\.Dependency = \.product\(name: "(?<module>\w+)"/
            ).map { (String($0.short), String($0.module)) }, uniquingKeysWith: { first, _ in first })
        var modules: [Module] = []
        for module in manifest.matches(
            of: /(?:module\(\s*\.(?<layer>\w+),|program\()\s*"(?<name>[\w-]+)"(?:,\s*\[(?<needs>[^\]]*)\])?/)
        {
            let needs = (module.needs ?? "").split { ",\n ".contains($0) }.map { need in
                need.hasPrefix("\"")
                    ? String(need.dropFirst().dropLast()) : packages[String(need)] ?? String(need)
            }
            modules.append(
                Module(
                    name: String(module.name), layer: module.layer.map(String.init) ?? "programs",
                    imports: Set(needs)))
        }
        return Dictionary(modules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// Modules of Swift and the system, which every module may import.
    static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization",
    ]

    /// Libraries that a built program must not load.
    static let unwanted: [String: [String]] = [
        "framefastd": ["libgphoto2", "libseccomp", "libjpeg", "liblcms2"],
        "framefast": ["libgphoto2", "libusb", "libsqlite3", "libjpeg", "liblcms2"],
        "framefast-picture": ["libgphoto2", "libusb", "libsqlite3", "libcurl", "libcrypto"],
        "framefast-simcam": ["libgphoto2", "libusb", "libsqlite3", "liblcms2"],
        "framefast-camera": ["libsqlite3", "libcurl", "liblcms2"],
    ]
}
