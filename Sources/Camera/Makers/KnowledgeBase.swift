import CMakerData
import Foundation
public import FrameFastModel

/// The facts about cameras and their makers: one profile for each maker, `common.json` and `cameras.tsv`. The
/// files are in `Sources/Camera/CMakerData` and embedded in the program. The functions of this type
/// depend only on this data and have no state.
public struct KnowledgeBase: Sendable {
    /// The format version that this program supports.
    public static let schema = 1

    /// An error that occurred while reading the knowledge base.
    public enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file has an unsupported format version.
        case schema(Int)
        /// The file is invalid.
        case unreadable(String)

        /// A description for users.
        public var description: String {
            switch self {
            case .schema(let found):
                "cannot read the knowledge base: its schema is \(found), not \(KnowledgeBase.schema)"
            case .unreadable(let reason): "cannot read the knowledge base: \(reason)"
            }
        }
    }

    /// The content of `common.json`, combined with the profiles.
    struct Content: Codable, Sendable {
        /// The format version.
        let schema: Int
        /// The date of the last revision.
        let revised: String
        /// The makers, in the picker's order.
        let makers: [MakerEntry]
        /// The vendor ids of phones that are not in the camera table.
        let phoneVendors: [USBNumber]
        /// The defaults for cameras whose profile defines no other values.
        let profile: CameraProfile
        /// The texts for each condition.
        let conditions: [ConditionAdvice]
        /// The texts for each mode that apply to all makers.
        let modes: [ModeAdvice]
        /// The programs that are known to use cameras. ``KnowledgeBase/likelyHeld(amongPrograms:)`` returns
        /// the first match. Programs that run in every session of a desktop therefore come last.
        let holders: [CameraProgram]
        /// The steps for a camera whose maker is not in the list.
        let unknownMaker: [AdviceText]

        private enum CodingKeys: String, CodingKey {
            case schema, revised, makers, phoneVendors
            case profile = "habits"
            case conditions, modes, holders, unknownMaker
        }
    }

    /// A program that is known to use cameras.
    struct CameraProgram: Codable, Hashable, Sendable {
        /// The prefix of its process name.
        let process: String
        /// The name for users.
        let name: String
        /// The steps to release the camera.
        let steps: [AdviceText]

        /// Returns whether a process name belongs to this program. The kernel truncates process names to 15
        /// characters.
        func isRunning(as name: String) -> Bool { name.hasPrefix(process.prefix(15)) }
    }

    /// Returns the knowledge base that is embedded in the program. The first call decodes the knowledge base.
    ///
    /// - Throws: ``LoadError`` if the data is invalid. A test verifies the data.
    public static func bundled() throws(LoadError) -> KnowledgeBase { try loaded.get() }

    private static let loaded: Result<KnowledgeBase, LoadError> = {
        var count = 0
        guard let common = framefast_common(&count) else { return .failure(.unreadable("it is empty")) }
        var json = Data(#"{"makers": ["#.utf8)
        let rest = Data(bytes: common, count: count)
        var index = 0
        while let profile = framefast_profile(index, &count) {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(profile, count: count)
            index += 1
        }
        json += Data("],".utf8) + rest.drop { $0 != UInt8(ascii: "{") }.dropFirst()
        return Result { () throws(LoadError) in try KnowledgeBase(json: json, cameras: .bundled) }
    }()

    let content: Content
    let cameras: CameraTable
    private let entries: [Maker: MakerEntry]
    private let vendors: [UInt16: [Maker]]
    private let products: [USBIdentity: (maker: Maker, mode: ProductMode)]
    private let phones: Set<UInt16>

    /// Decodes a knowledge base from JSON.
    init(json: Data, cameras: CameraTable) throws(LoadError) {
        struct SchemaVersion: Decodable { let schema: Int }
        do {
            let schema = try JSONDecoder().decode(SchemaVersion.self, from: json).schema
            guard schema == Self.schema else { throw LoadError.schema(schema) }
            content = try JSONDecoder().decode(Content.self, from: json)
        } catch let error as LoadError {
            throw error
        } catch {
            throw .unreadable("\(error)")
        }
        self.cameras = cameras
        entries = Dictionary(content.makers.map { ($0.maker, $0) }) { first, _ in first }
        vendors = Dictionary(
            content.makers.flatMap { entry in entry.vendors.map { ($0.value, [entry.maker]) } },
            uniquingKeysWith: +)
        phones = Set(content.phoneVendors.map(\.value)).union(cameras.playerVendors)
        products = Dictionary(
            content.makers.flatMap { entry in
                entry.products.flatMap { row in
                    (row.vendor.map { [$0] } ?? entry.vendors).map {
                        (USBIdentity(vendor: $0.value, product: row.product.value), (entry.maker, row))
                    }
                }
            }
        ) { first, _ in first }
    }

    /// The makers, in the picker's order.
    public var makers: [MakerEntry] { content.makers }

    /// The profiles for workers. The last profile applies to all other makers.
    public var profiles: [MakerProfile] {
        makers.compactMap { entry in
            entry.quirks.profile.map {
                MakerProfile(names: entry.names, vendorExtension: entry.quirks.vendorExtension, profile: $0)
            }
        } + [MakerProfile(names: [""], vendorExtension: nil, profile: content.profile)]
    }

    /// Returns the entry for a maker, or `nil` if there is no entry.
    public func entry(for maker: Maker?) -> MakerEntry? { maker.flatMap { entries[$0] } }

    /// Returns the maker with a name from DeviceInfo, or `nil` for an unknown name.
    public func maker(named name: String) -> Maker? {
        let name = name.lowercased()
        return content.makers.first { entry in entry.names.contains { name.hasPrefix($0.lowercased()) } }?
            .maker
    }

    /// Returns the model with a vendor and product id, or `nil` if no model or several models have the id.
    public func bodyName(of identity: USBIdentity) -> String? { products[identity]?.1.model }

    func productMode(_ identity: USBIdentity) -> (maker: Maker, mode: ProductMode)? { products[identity] }

    /// Returns the maker of a device. If several makers share a vendor id, the device's strings decide.
    /// If the strings name none of these makers, returns the first one.
    func maker(of device: DeviceDescriptors) -> Maker? {
        let makers = vendors[device.vendorID] ?? []
        guard makers.count > 1 else { return makers.first }
        let words = [device.product, device.manufacturer].compactMap { $0?.lowercased() }
        let named = words.lazy.compactMap { word in
            makers.first { maker in
                entries[maker]?.names.contains { word.hasPrefix($0.lowercased()) } ?? false
            }
        }.first
        return named ?? makers.first
    }

    func isPhoneVendor(_ vendor: UInt16) -> Bool { phones.contains(vendor) }
}
