import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc

/// The settings for starting workers.
public struct WorkerSettings: Hashable, Sendable {
    /// The path of `framefast-camera`.
    public var program: String
    /// The folder that contains the home folder of each camera's worker (pairing GUID, driver settings, call
    /// trace).
    public var homes: String
    /// The libgphoto2 drivers that may be loaded, for example `["ptp2"]`.
    public var drivers: [String]
    /// The folder to which complete part files are moved. The part folders of the workers are in the folder
    /// `workers` next to this folder.
    public var photos: String

    /// Creates settings.
    public init(program: String, homes: String, drivers: [String], photos: String) {
        self.program = program
        self.homes = homes
        self.photos = photos
        self.drivers = drivers
    }

    /// Creates the folder for `CAMLIBS`, which contains only the allowed drivers.
    ///
    /// Loading `ptp2.so` alone takes a quarter of the time of loading all drivers of libgphoto2. The folder
    /// also prevents old drivers with open CVEs (jl2005c) from processing data of USB devices.
    ///
    /// - Throws: ``DriverFolderError`` if a driver is not installed.
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

    /// The version of the installed libgphoto2, from the name of its driver folder, or `nil` if libgphoto2 is
    /// not installed.
    public static var libraryVersion: String? {
        installedDriver("ptp2").map { $0.split(separator: "/").dropLast().last.map(String.init) ?? "" }
    }

    private static func installedDriver(_ name: String) -> String? {
        var found = glob_t()
        defer { globfree(&found) }
        // Debian's multiarch folder first, then the folders of other distributions.
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

/// An error of setting up the driver folder.
public enum DriverFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libgphoto2 does not have this driver on this computer.
    case notInstalled(String)

    /// A description for users: the problem and the next step.
    public var description: String {
        switch self {
        case .notInstalled(let name):
            "cannot find libgphoto2's driver '\(name)': install the package libgphoto2-6, or correct 'allow' in [drivers]"
        }
    }
}
