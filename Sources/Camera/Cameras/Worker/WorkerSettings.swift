import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc

/// How workers are started.
public struct WorkerSettings: Hashable, Sendable {
    /// Path of `framefast-camera`.
    public var program: String
    /// Folder under which each camera's worker has its home (pairing GUID, driver settings, call trace).
    public var homes: String
    /// libgphoto2 drivers that may be loaded, for example `["ptp2"]`.
    public var drivers: [String]
    /// Folder of the part files that were taken over from workers, each of which has one of its own beside it.
    public var photos: String

    /// Creates settings.
    public init(program: String, homes: String, drivers: [String], photos: String) {
        self.program = program
        self.homes = homes
        self.photos = photos
        self.drivers = drivers
    }

    /// Makes the folder for `CAMLIBS` that holds nothing but the allowed drivers.
    ///
    /// A folder with only `ptp2.so` loads in a quarter of the time, and keeps old drivers with open CVEs
    /// (jl2005c) away from what a USB device says.
    ///
    /// - Throws: ``DriverFolderError`` when a driver is not installed.
    public func prepareDrivers() throws -> String {
        let folder = homes + "/drivers"
        try DurableFile.createFolder(folder)
        for old in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try DurableFile.remove("\(folder)/\(old)")
        }
        for driver in drivers {
            guard let installed = Self.installedDriver(driver) else {
                throw DriverFolderError.notInstalled(driver)
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(driver).so", withDestinationPath: installed)
        }
        return folder
    }

    /// Version of the installed libgphoto2, from the name of the folder that holds its drivers; `nil` when there is none.
    public static var libraryVersion: String? {
        installedDriver("ptp2").map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" }
    }

    private static func installedDriver(_ name: String) -> String? {
        var found = glob_t()
        defer { globfree(&found) }
        // Debian's multiarch folder, then other distributions' places.
        for pattern in [
            "/usr/lib/*/libgphoto2/*/\(name).so", "/usr/lib*/libgphoto2/*/\(name).so",
            "/usr/local/lib/libgphoto2/*/\(name).so",
        ] {
            if glob(pattern, 0, nil, &found) == 0, let path = found.gl_pathv[0] {
                return String(cString: path)
            }
        }
        return nil
    }

    func home(of camera: CameraID) -> String { homes + "/" + Self.folderName(camera) }

    func parts(of camera: CameraID) -> PartFolder {
        PartFolder(named: Self.folderName(camera), incoming: photos)
    }

    private static func folderName(_ camera: CameraID) -> String {
        camera.rawValue.map { $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "_" }.joined()
    }
}

/// Why the drivers cannot be set up.
public enum DriverFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libgphoto2 has no such driver on this machine.
    case notInstalled(String)

    /// For people: what is wrong, and where it helps what to do.
    public var description: String {
        switch self {
        case .notInstalled(let name):
            "cannot find libgphoto2's driver '\(name)': install the package libgphoto2-6, or correct [drivers] allow"
        }
    }
}
