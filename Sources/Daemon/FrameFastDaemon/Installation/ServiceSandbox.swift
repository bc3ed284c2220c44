import Foundation

/// Where systemd lets the service write (systemd/framefastd.service), and what to change so that photos can go elsewhere.
struct ServiceSandbox {
    /// Folders below which the unit lets the service write.
    static let writable = [stateDirectory, "/srv", "/mnt", "/media"]
    /// The state directory of the computer's service.
    static let stateDirectory = "/var/lib/framefast"
    /// Folders that the unit hides: what is in there belongs to people.
    static let hidden = ["/home", "/root", "/run/user"]
    /// Folders of which the service has its own (`PrivateTmp=yes`): systemd removes them when it stops.
    static let temporary = ["/tmp", "/var/tmp"]
    /// Where an administrator's own lines for the unit stand.
    static let dropInFolder = "/etc/systemd/system/framefastd.service.d"
    /// Where packages and administrators put units.
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]

    /// A purpose of a folder. Each has a drop-in of its own, so that the lines for one do not replace those for the other.
    enum Purpose: String, Sendable {
        case photos, state
    }

    /// In front of all absolute paths; another than `/` in tests.
    var root = ""

    /// The lines of a drop-in without which the service cannot write to a folder; empty when it needs none. With `-` in
    /// front of a path, the service also starts while the folder is missing or its disk is away.
    func lines(for folder: String) -> [String] {
        let path = "-\(folder)".asUnitWord
        if hides(folder) { return ["[Service]", "ProtectHome=tmpfs", "BindPaths=\(path)"] }
        if Self.writable.contains(where: { folder.isBelow($0) }) { return [] }
        return ["[Service]", "ReadWritePaths=\(path)"]
    }

    /// Whether the unit hides a folder, or one above it.
    func hides(_ folder: String) -> Bool { Self.hidden.contains { folder.isBelow($0) } }

    /// Commands that make a folder and let the service write to it.
    func commands(for folder: String, purpose: Purpose = .photos) -> [String] {
        let lines = lines(for: folder)
        let own = ["sudo install -d -o framefast -g framefast \(folder.asShellWord)"]
        guard !lines.isEmpty else { return own + ["sudo systemctl restart framefastd"] }
        let words = lines.map(\.asShellWord).joined(separator: " ")
        return own + [
            "sudo mkdir -p \(Self.dropInFolder)",
            "printf '%s\\n' \(words) | sudo tee \(Self.dropInFolder)/\(purpose.rawValue).conf",
            "sudo systemctl daemon-reload", "sudo systemctl restart framefastd",
        ]
    }

    /// What to do before the service, if it is installed here, can write to a folder; `nil` when nothing is.
    func advice(for folder: String, purpose: Purpose = .photos) -> String? {
        guard isInstalled, !lines(for: folder).isEmpty, !isAllowed(folder) else { return nil }
        return
            ([
                "The service may not write to \(folder) before you have run (as a person's own service, it needs none of it):"
            ] + commands(for: folder, purpose: purpose).map { "  \($0)" }).joined(separator: "\n")
    }

    /// Whether the computer's service is installed.
    var isInstalled: Bool {
        Self.unitFolders.contains {
            FileManager.default.fileExists(atPath: "\(root)\($0)/framefastd.service")
        }
    }

    /// Whether what the service saves in a folder is removed when the service stops.
    ///
    /// - Parameter unit: What `systemctl show` says of the unit and its drop-ins; empty if that is not known.
    static func isTemporary(_ folder: String, unit: String = "") -> Bool {
        let lines = unit.split(separator: "\n").map(String.init)
        let bound = lines.filter { $0.hasPrefix("BindPaths=") }
            .flatMap { $0.dropFirst("BindPaths=".count).split(separator: " ") }
            .compactMap { word -> String? in
                // SOURCE:DESTINATION:OPTIONS
                let parts = word.split(separator: ":")
                return (parts.count > 1 ? parts[1] : parts.first).map(String.init)
            }
        guard !lines.contains("PrivateTmp=no"), !bound.contains(where: { folder.isBelow($0) }) else {
            return false
        }
        return temporary.contains { folder.isBelow($0) }
    }

    /// Whether systemd runs on this computer.
    var isSystemdRunning: Bool { FileManager.default.fileExists(atPath: root + "/run/systemd/system") }

    /// Whether a folder is in the state directory, which systemd still has to make.
    func isMadeAtStart(_ folder: String) -> Bool {
        folder.isBelow(Self.stateDirectory)
            && !FileManager.default.fileExists(atPath: root + Self.stateDirectory)
    }

    /// Whether a drop-in speaks of a folder, or of one above it.
    private func isAllowed(_ folder: String) -> Bool {
        let place = root + Self.dropInFolder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter { $0.hasSuffix(".conf") }.contains { name in
            guard let text = try? String(contentsOfFile: "\(place)/\(name)", encoding: .utf8) else {
                return false
            }
            return text.split(separator: "\n").contains { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, ["ReadWritePaths", "BindPaths"].contains(parts[0]) else {
                    return false
                }
                return ["", "-"].contains { parts[1] == ($0 + folder).asUnitWord }
                    || parts[1].split(separator: " ").contains { word in
                        folder.isBelow(String(word.drop { $0 == "-" || $0 == "+" }))
                    }
            }
        }
    }
}

extension String {
    /// Whether a path is a folder or lies below it.
    fileprivate func isBelow(_ folder: String) -> Bool { self == folder || hasPrefix(folder + "/") }

    /// As a word of a unit file: systemd expands `%` and splits at spaces.
    fileprivate var asUnitWord: String {
        let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
        return escaped.contains(" ") || escaped.contains("\\") ? "\"\(escaped)\"" : escaped
    }

    /// As a word of a shell's line.
    var asShellWord: String {
        let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-=".contains($0)) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
