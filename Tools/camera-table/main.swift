import CGPhoto2
import Foundation

// Prints the camera table of the installed libgphoto2. `scripts/update-camera-table` writes the output to
// Sources/Camera/CMakerData/cameras.tsv. A vendor with only phones and players has a single line.

struct Model {
    let vendor: String
    let product: String
    let name: String
    let flags: String
    let isPlayer: Bool
}

func hex(_ number: Int32) -> String {
    let digits = String(UInt16(truncatingIfNeeded: number), radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
}

func text<T>(_ tuple: T) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

func model(_ abilities: CameraAbilities) -> Model? {
    let driver = URL(filePath: text(abilities.library)).deletingPathExtension().lastPathComponent
    guard ["ptp2", "pentax"].contains(driver), abilities.usb_vendor != 0 else { return nil }
    func can(_ operation: CameraOperation, _ letter: String) -> String {
        UInt32(abilities.operations.rawValue) & UInt32(operation.rawValue) != 0 ? letter : ""
    }
    let isPlayer = abilities.device_type.rawValue & GP_DEVICE_AUDIO_PLAYER.rawValue != 0
    let flags =
        can(GP_OPERATION_CAPTURE_IMAGE, "c") + can(GP_OPERATION_CAPTURE_PREVIEW, "p")
        + can(GP_OPERATION_CONFIG, "s") + (driver == "pentax" ? "d" : "") + (isPlayer ? "m" : "")
    return Model(
        vendor: hex(abilities.usb_vendor), product: hex(abilities.usb_product), name: text(abilities.model),
        flags: flags.isEmpty ? "-" : flags, isPlayer: isPlayer)
}

var list: OpaquePointer?
guard gp_abilities_list_new(&list) == GP_OK, gp_abilities_list_load(list, nil) == GP_OK else {
    FileHandle.standardError.write(Data("camera-table: cannot load libgphoto2's drivers\n".utf8))
    exit(1)
}
let count = gp_abilities_list_count(list)
let models = (0..<max(count, 0)).compactMap { index -> Model? in
    var abilities = CameraAbilities()
    return gp_abilities_list_get_abilities(list, index, &abilities) == GP_OK ? model(abilities) : nil
}
let cameraVendors = Set(models.filter { !$0.isPlayer }.map(\.vendor))
let playerVendors = Set(models.filter(\.isPlayer).map(\.vendor)).subtracting(cameraVendors)
let version = gp_library_version(GP_VERSION_SHORT)?[0].map { String(cString: $0) } ?? "?"

print(
    "# The models that libgphoto2 \(version) names (drivers ptp2 and pentax). Written by scripts/update-camera-table."
)
print(
    "# vendor, product, flags, model. c capture, p preview, s settings, d driven as a disk, m phone or player."
)
print("# A product * stands for a vendor of whom only phones and players are known.")
for vendor in playerVendors.sorted() { print("\(vendor)\t*\tm\t") }
// Keeps the library's order of models with the same vendor and product. FrameFast displays the first name for
// all of these models.
let sorted = models.enumerated().filter { cameraVendors.contains($0.element.vendor) }.sorted {
    ($0.element.vendor, $0.element.product, $0.offset) < ($1.element.vendor, $1.element.product, $1.offset)
}
for (_, model) in sorted { print("\(model.vendor)\t\(model.product)\t\(model.flags)\t\(model.name)") }
