import FrameFastModel

/// The allowed phones and the version of libgphoto2, which determine the devices that may be used.
public struct DeviceAllowances: Codable, Hashable, Sendable {
    /// The serial numbers of phones that may be opened.
    public var phoneSerials: Set<String>
    /// The version of the installed libgphoto2, for example `2.5.30`.
    public var library: String

    /// Creates allowances. The default library version is that of Debian 12.
    public init(phoneSerials: Set<String> = [], library: String = "2.5.30") {
        self.phoneSerials = phoneSerials
        self.library = library
    }
}

/// USB interface classes.
private enum Class {
    static let disk: Set<UInt8> = [0x08]
    static let image: Set<UInt8> = [0x06]
    static let printer: Set<UInt8> = [0x07]
    static let video: Set<UInt8> = [0x0e]
    static let network: Set<UInt8> = [0x02, 0x0a, 0xe0]
    static let vendor: Set<UInt8> = [0xff]
    static let hub: UInt8 = 0x09
    /// The interface classes that a camera can have.
    static let ofCameras = disk.union(image).union(video).union(network).union(vendor)
}

extension KnowledgeBase {
    /// Classifies a device by its descriptors. Does not open the device.
    ///
    /// A device without a PTP interface is never opened, because libgphoto2 would detach the kernel's driver
    /// from a mounted card.
    public func classify(_ device: DeviceDescriptors, allowing allowances: DeviceAllowances = .init())
        -> DeviceClassification
    {
        if isPhone(device) { return phone(device, allowances) }
        let known = productMode(device.identity)
        guard device.deviceClass != Class.hub, !device.has(Class.printer),
            device.interfaces.isEmpty || device.has(Class.ofCameras)
        else { return DeviceClassification(mode: .unknown, action: .ignore) }
        guard let maker = known?.maker ?? maker(of: device) else { return classifyUnknownVendor(device) }

        let mode = mode(of: device, known: known?.mode)
        let row = known?.mode.mode == mode ? known?.mode : nil
        var classification = classification(on: maker, mode: mode, library: allowances.library, row: row)
        classification.model = known?.mode.model ?? hint(for: device)
        if classification.action == .leave, endpointHint(device) != nil, row == nil {
            // The interrupt endpoint is only a hint. The worker opens a connection to determine the mode.
            classification.action = .check
            classification.condition = nil
        }
        if classification.action == .open || classification.action == .check, !device.hasPTP {
            classification.action = .leave
            classification.condition = .wrongMode
        }
        if known == nil, !device.hasPTP, cameras.models(of: device.identity).isEmpty {
            checkProductName(&classification, device)
        }
        if classification.condition == .wrongMode { classification.guidance = bodySteps(classification) }
        return classification
    }

    /// Returns the mode, based on the most reliable indication that is present.
    private func mode(of device: DeviceDescriptors, known: ProductMode?) -> CameraMode {
        // Ignores a product id that indicates a PTP mode if the device has no PTP interface.
        if let known, device.hasPTP || !known.mode.needsPTP { return known.mode }
        if let shape = modeWithoutPTP(device) { return shape }
        if device.configurationCount > 1,
            let indicator = entry(for: maker(of: device))?.quirks.severalConfigurations
        {
            return indicator.mode
        }
        return device.hasPTP ? endpointHint(device)?.mode ?? .ptp : .unknown
    }

    /// Returns the mode of a device without a PTP interface, based on the interface classes. Returns `nil` if
    /// the device has a PTP interface or the classes are inconclusive.
    private func modeWithoutPTP(_ device: DeviceDescriptors) -> CameraMode? {
        if device.hasPTP { return nil }
        if device.hasOnly(Class.disk) { return .massStorage }
        if device.has(Class.video) { return .webcam }
        if device.has(Class.network) { return .network }
        guard device.hasOnly(Class.vendor) else { return nil }
        // A camera with a known product id supports PTP and currently offers no usable interface. A camera
        // with an unknown product id may use an older protocol.
        return cameras.models(of: device.identity).isEmpty ? .vendor : .charging
    }

    private func endpointHint(_ device: DeviceDescriptors) -> MakerQuirks.EndpointHint? {
        guard device.hasPTP, let endpoint = device.interruptEndpoint else { return nil }
        return entry(for: maker(of: device))?.quirks.endpointHints?.first {
            $0.maxPacket == endpoint.maxPacket && $0.interval == endpoint.interval
        }
    }

    /// - Parameter row: The entry for the product id, if it applies to this mode.
    private func classification(
        on maker: Maker, mode: CameraMode, library: String, row: ProductMode?
    ) -> DeviceClassification {
        let advice = entry(for: maker)?.advice(for: mode) ?? content.modes.first { $0.mode == mode }
        var classification = DeviceClassification(
            maker: maker, mode: mode, action: row?.action ?? advice?.action ?? mode.usualAction)
        // A version that can't be parsed is treated as new enough. If it is too old, opening the camera
        // fails.
        if let wanted = row?.library, let needed = LibraryVersion(wanted),
            let installed = LibraryVersion(library), installed < needed
        {
            classification.action = .leave
            classification.condition = .notSupported
            classification.guidance = tooOld(library, wanted: wanted, maker: maker)
            return classification
        }
        guard classification.action == .leave else {
            classification.guidance = row?.action == .check ? advice.map { Guidance($0.says, $0.steps) } : nil
            return classification
        }
        classification.condition = advice?.condition ?? .wrongMode
        classification.guidance = advice.map { Guidance($0.says, $0.steps) }
        return classification
    }

    private func tooOld(_ library: String, wanted: String, maker: Maker) -> Guidance {
        let advice = content.conditions.first { $0.condition == .notSupported }
        return Guidance(
            sentence:
                "This \(maker.name) camera needs libgphoto2 \(wanted) or newer, and \(library) is installed.",
            steps: advice?.steps.map(\.text) ?? [])
    }

    /// Checks the product name if the vendor also makes devices other than cameras. A device whose name
    /// contains none of the maker's camera words is ignored. A device without a name raises no condition.
    private func checkProductName(_ classification: inout DeviceClassification, _ device: DeviceDescriptors) {
        guard let maker = classification.maker, let entry = entry(for: maker), !entry.cameraWords.isEmpty
        else {
            return
        }
        guard let product = device.product?.lowercased() else {
            classification.condition = nil
            return
        }
        guard entry.cameraWords.contains(where: { product.contains($0.lowercased()) }) else {
            classification = DeviceClassification(mode: classification.mode, action: .ignore)
            return
        }
    }

    /// Returns the guidance with the steps for the camera's generation, if its model is known.
    private func bodySteps(_ classification: DeviceClassification) -> Guidance? {
        guard let model = classification.model, let guidance = classification.guidance,
            let group = entry(for: classification.maker)?.usb.first(where: { $0.isFor(model) })
        else { return classification.guidance }
        return Guidance(
            sentence: guidance.sentence, steps: group.steps.map(\.text),
            isUsual: guidance.isUsual || group.steps.contains { $0.confidence == .usual })
    }

    /// Classifies a device of an unknown vendor. The device is treated as a camera if it has a PTP interface.
    private func classifyUnknownVendor(_ device: DeviceDescriptors) -> DeviceClassification {
        if device.hasPTP {
            return DeviceClassification(
                model: hint(for: device), mode: .ptp, action: .check)
        }
        return DeviceClassification(mode: modeWithoutPTP(device) ?? .unknown, action: .ignore)
    }

    /// Returns libgphoto2's model name for the device. If the table does not contain exactly one model with
    /// this id, returns the device's product name.
    private func hint(for device: DeviceDescriptors) -> String? {
        let models = Set(cameras.models(of: device.identity).map(\.model))
        guard models.count == 1, let model = models.first else { return device.product }
        return withoutDoubledMaker(model)
    }

    /// Removes a repeated maker from a model name. libgphoto2 has names such as "Fuji Fujifilm X100V".
    func withoutDoubledMaker(_ model: String) -> String {
        let words = model.split(separator: " ")
        guard words.count > 2, let maker = maker(named: String(words[0])),
            maker == self.maker(named: String(words[1]))
        else { return model }
        return words.dropFirst().joined(separator: " ")
    }
}

extension KnowledgeBase {
    private func isPhone(_ device: DeviceDescriptors) -> Bool {
        let debugs = device.interfaces.contains {
            $0.matches(0xff, 0x42, 0x01) || $0.matches(0xff, 0xfe, 0x02)
        }
        if debugs { return true }
        let models = cameras.models(of: device.identity)
        if models.contains(where: { !$0.isPlayer }) || productMode(device.identity) != nil { return false }
        if !models.isEmpty { return true }
        let maker = maker(of: device)
        // mtp-probe also sets `ID_MEDIA_PLAYER` and `ID_MTP_DEVICE` for cameras in MTP mode. For camera
        // vendors, this rule therefore ignores both properties.
        if maker == nil,
            device.properties["ID_MEDIA_PLAYER"] != nil || device.properties["ID_MTP_DEVICE"] != nil
        {
            return true
        }
        guard isPhoneVendor(device.vendorID), maker == nil || entry(for: maker)?.phones != nil else {
            return false
        }
        return device.has(Class.image.union(Class.vendor))
    }

    private func phone(_ device: DeviceDescriptors, _ allowances: DeviceAllowances) -> DeviceClassification {
        var classification = DeviceClassification(
            maker: maker(of: device), model: hint(for: device), mode: .phone, action: .ignore)
        if let serial = device.serial, allowances.phoneSerials.contains(serial), device.hasPTP {
            classification.action = .check
            let advice =
                entry(for: classification.maker)?.advice(for: .phone)
                ?? content.modes.first { $0.mode == .phone }
            classification.guidance = advice.map { Guidance($0.says, $0.steps) }
        }
        return classification
    }
}

extension CameraMode {
    /// Whether the mode requires a PTP interface.
    fileprivate var needsPTP: Bool {
        switch self {
        case .ptp, .tether, .mtp, .rawConversion: true
        default: false
        }
    }

    /// The action for this mode if the maker's entry does not define one.
    fileprivate var usualAction: DeviceAction {
        switch self {
        case .ptp, .tether: .open
        case .phone: .ignore
        default: .leave
        }
    }
}
