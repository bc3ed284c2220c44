import CMakerData
import Foundation
public import FrameFastModel

/// What is known of cameras and their makers: a profile a maker, `common.json` and `cameras.tsv` of
/// `Sources/Camera/CMakerData`, which stand in the program. The rules are its functions: they look nothing up elsewhere and keep nothing.
public struct KnowledgeBase: Sendable {
    /// The version of the file's form that this program reads.
    public static let schema = 1

    /// Why the knowledge base could not be read.
    public enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file has another form.
        case schema(Int)
        /// The file is not what it should be.
        case unreadable(String)

        /// For people.
        public var description: String {
            switch self {
            case .schema(let found):
                "cannot read the knowledge base: its form is \(found), not \(KnowledgeBase.schema)"
            case .unreadable(let reason): "cannot read the knowledge base: \(reason)"
            }
        }
    }

    /// The content of `common.json` with the profiles.
    struct Content: Codable, Sendable {
        /// The version of the form.
        let schema: Int
        /// When the content was last looked through, as a date.
        let revised: String
        /// Makers, in the picker's order.
        let makers: [MakerEntry]
        /// Vendor numbers of phones that no camera in the table has.
        let phoneVendors: [USBNumber]
        /// What cameras need of which no profile says otherwise: the standard.
        let habits: CameraHabits
        /// Texts for each condition.
        let conditions: [ConditionAdvice]
        /// Texts for each mode that hold for every maker.
        let modes: [ModeAdvice]
        /// Programs that are known to hold cameras.
        let holders: [Holder]
        /// Steps for a person whose maker is not in the list.
        let unknownMaker: [AdviceText]
    }

    /// A program that is known to hold cameras.
    struct Holder: Codable, Hashable, Sendable {
        /// What its process name begins with.
        let process: String
        /// Its name for people.
        let name: String
        /// What to do, once.
        let steps: [AdviceText]

        /// Whether a process of this name is it. The kernel cuts names at 15 characters.
        func isRunning(as name: String) -> Bool { name.hasPrefix(process.prefix(15)) }
    }

    /// Reads what stands in the program. It is decoded once.
    ///
    /// - Throws: ``LoadError`` when the file is not right, which a test excludes.
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

    /// Decodes a knowledge base.
    init(json: Data, cameras: CameraTable) throws(LoadError) {
        struct Head: Decodable { let schema: Int }
        do {
            let schema = try JSONDecoder().decode(Head.self, from: json).schema
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

    /// All makers, in the picker's order.
    public var makers: [MakerEntry] { content.makers }

    /// What workers need to know of makers; at the end what holds for every other one.
    public var habits: [MakerHabits] {
        makers.compactMap { entry in
            entry.quirks.habits.map {
                MakerHabits(names: entry.names, vendorExtension: entry.quirks.vendorExtension, habits: $0)
            }
        } + [MakerHabits(names: [""], vendorExtension: nil, habits: content.habits)]
    }

    /// All that is known of a maker; `nil` for one that has no entry.
    public func entry(for maker: Maker?) -> MakerEntry? { maker.flatMap { entries[$0] } }

    /// The maker that `name`, as in DeviceInfo, is for; `nil` when it is not known.
    public func maker(named name: String) -> Maker? {
        let name = name.lowercased()
        return content.makers.first { entry in entry.names.contains { name.hasPrefix($0.lowercased()) } }?
            .maker
    }

    /// The body that a vendor and product number stand for, whatever its session says; `nil` where bodies share a number.
    public func bodyName(of identity: USBIdentity) -> String? { products[identity]?.1.model }

    func productMode(_ identity: USBIdentity) -> (maker: Maker, mode: ProductMode)? { products[identity] }

    /// The maker of a device. Where makers share a vendor number, the device's own words decide; without any, the
    /// first maker has it.
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
