import Foundation
import FrameFastModel

/// The folders to which systemd lets the service write (systemd/framefastd.service), and the drop-ins that
/// allow further folders.
struct ServiceSandbox {
    /// The folders below which the unit lets the service write.
    static let writable = [stateDirectory, "/srv", "/mnt", "/media"]
    /// The state directory of the system service.
    static let stateDirectory = "/var/lib/framefast"
    /// The folders that the unit hides, because they contain files of users.
    static let hidden = ["/home", "/root", "/run/user"]
    /// The folders that systemd replaces with private folders for the service (`PrivateTmp=yes`). systemd
    /// removes the private folders when the service stops.
    static let temporary = ["/tmp", "/var/tmp"]
    /// The folder for an administrator's drop-ins for the unit.
    static let dropInFolder = "/etc/systemd/system/framefastd.service.d"
    /// The folders in which packages and administrators install units.
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]

    /// The purpose of a folder. Each purpose has its own drop-in, so the drop-ins do not replace each other.
    enum Purpose: Hashable, Sendable {
        case photos, state
        /// The folder of the destination with this name.
        case destination(String)

        /// The name of the drop-in, without `.conf`.
        var dropIn: String {
            switch self {
            case .photos: "photos"
            case .state: "state"
            case .destination(let name): "destination-\(name)"
            }
        }
    }

    /// The prefix of all absolute paths: empty, or a folder in tests.
    var root = ""

    /// Returns the lines of the drop-in that lets the service write to a folder, or an empty list if no
    /// drop-in is needed.
    ///
    /// With `-` before a path, the service starts even if the folder is missing or its disk is not mounted.
    func lines(for folder: String) -> [String] {
        let path = "-\(folder)".asUnitWord
        if hides(folder) { return ["[Service]", "ProtectHome=tmpfs", "BindPaths=\(path)"] }
        if Self.writable.contains(where: { folder.isBelow($0) }) { return [] }
        return ["[Service]", "ReadWritePaths=\(path)"]
    }

    /// Returns whether the unit hides a folder or one of its ancestors.
    func hides(_ folder: String) -> Bool { Self.hidden.contains { folder.isBelow($0) } }

    /// Returns the commands that create a folder and let the service write to it.
    func commands(for folder: String, purpose: Purpose = .photos) -> [String] {
        let lines = lines(for: folder)
        let own = ["sudo install -d -o framefast -g framefast \(folder.asShellWord)"]
        guard !lines.isEmpty else { return own + ["sudo systemctl restart framefastd"] }
        let words = lines.map(\.asShellWord).joined(separator: " ")
        return own + [
            "sudo mkdir -p \(Self.dropInFolder)",
            "printf '%s\\n' \(words) | sudo tee \(Self.dropInFolder)/\(purpose.dropIn).conf",
            "sudo systemctl daemon-reload", "sudo systemctl restart framefastd",
        ]
    }

    /// Returns the command that makes a file readable for the service.
    ///
    /// - Parameter copy: The path to which the command copies the file, or `nil` if the service can use the
    ///   file's folder.
    static func commandToRead(_ file: String, copy: String?) -> String {
        guard let copy else {
            return "sudo chgrp framefast \(file.asShellWord) && sudo chmod 640 \(file.asShellWord)"
        }
        return "sudo install -m 640 -g framefast \(file.asShellWord) \(copy.asShellWord)"
    }

    /// Returns the path of a file's copy in the folder of the configuration. Files of different destinations
    /// have different copies, even if the files have the same name.
    static func copy(of file: String, for destination: DestinationName) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        return "/etc/framefast/\(SafeName.component(destination.rawValue))-\(name)"
    }

    /// Returns the steps that let the system service write to a folder, or `nil` if no steps are needed.
    func advice(for folder: String, purpose: Purpose = .photos) -> String? {
        guard isInstalled, !lines(for: folder).isEmpty, !isAllowed(folder) else { return nil }
        return
            ([
                "The service cannot write to \(folder) until you run these commands (a user service does not need them):"
            ] + commands(for: folder, purpose: purpose).map { "  \($0)" }).joined(separator: "\n")
    }

    /// Whether the system service is installed.
    var isInstalled: Bool {
        Self.unitFolders.contains {
            FileManager.default.fileExists(atPath: "\(root)\($0)/framefastd.service")
        }
    }

    /// Returns whether the service and other programs see different files at a path. The unit may hide the
    /// path, or replace its folder with a private folder.
    ///
    /// - Parameter unit: The output of `systemctl show` for the unit and its drop-ins, or an empty string if
    ///   it is unknown.
    func conceals(_ path: String, unit: String) -> Bool {
        Self.isTemporary(path, unit: unit) || (hides(path) && !Self.isBound(path, unit: unit))
    }

    /// Returns whether systemd removes the contents of a folder when the service stops.
    ///
    /// - Parameter unit: See ``conceals(_:unit:)``.
    static func isTemporary(_ folder: String, unit: String = "") -> Bool {
        temporary.contains { folder.isBelow($0) }
            && !unit.split(separator: "\n").contains("PrivateTmp=no") && !isBound(folder, unit: unit)
    }

    /// Returns whether the unit mounts a path, or a folder above it, from outside of the sandbox.
    private static func isBound(_ path: String, unit: String) -> Bool {
        unit.split(separator: "\n").filter { $0.hasPrefix("BindPaths=") }
            .flatMap { $0.dropFirst("BindPaths=".count).split(separator: " ") }
            .contains { word in
                // SOURCE:DESTINATION:OPTIONS
                let parts = word.split(separator: ":")
                return (parts.count > 1 ? parts[1] : parts.first).map { path.isBelow(String($0)) } ?? false
            }
    }

    /// Whether systemd runs on this computer.
    var isSystemdRunning: Bool { FileManager.default.fileExists(atPath: root + "/run/systemd/system") }

    /// Returns whether a drop-in allows a folder or one of its ancestors.
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
    /// Returns whether a path is the folder or a path below it.
    func isBelow(_ folder: String) -> Bool { self == folder || hasPrefix(folder + "/") }

    /// The text as a word of a unit file. systemd expands `%` and splits at spaces.
    fileprivate var asUnitWord: String {
        let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
        return escaped.contains(" ") || escaped.contains("\\") ? "\"\(escaped)\"" : escaped
    }

    /// The text as a word of a shell command.
    var asShellWord: String {
        let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-=".contains($0)) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
