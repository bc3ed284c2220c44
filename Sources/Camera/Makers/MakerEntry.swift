public import FrameFastModel

/// The facts about one maker.
public struct MakerEntry: Codable, Hashable, Sendable {
    /// Whether the maker's cameras can be tethered with libgphoto2.
    public enum Tethering: String, Codable, Hashable, Sendable {
        case yes, some, no
    }

    /// Whether some or all of a maker's devices are phones.
    public enum Phones: String, Codable, Hashable, Sendable {
        /// Some devices are phones. Only a known product is treated as a camera.
        case some
        /// All devices are phones. The maker is not in ``MakerPicker``.
        case all
    }

    /// The maker.
    public let maker: Maker
    /// The description of the maker in ``MakerPicker``.
    public let line: String
    /// Whether the maker's cameras can be tethered.
    public let tethering: Tethering
    /// The maker's USB vendor ids.
    public let vendors: [USBNumber]
    /// The prefixes of the maker's names in DeviceInfo. Case is ignored.
    public let names: [String]
    /// Words in the product strings of the maker's cameras, for a vendor id that other devices share. Empty
    /// if every device of the vendor is a camera.
    public let cameraWords: [String]
    /// The product ids that indicate a mode.
    public let products: [ProductMode]
    /// The advice for each mode.
    public let modes: [ModeAdvice]
    /// The maker's own texts for conditions.
    public let conditions: [ConditionAdvice]
    /// The steps to prepare a camera for tethering over USB, by generation.
    public let usb: [StepGroup]
    /// The network access to the maker's cameras.
    public let network: NetworkProfile
    /// The facts of an open PTP session that indicate the mode, or `nil` for ``SessionIndicators/usual``.
    public let session: SessionIndicators?
    /// Whether some or all of the maker's devices are phones, or `nil` if no device is a phone.
    public let phones: Phones?
    /// The peculiarities of the maker's cameras.
    public let quirks: MakerQuirks

    /// Returns the maker's own advice for `mode`, or `nil` if the general advice applies.
    public func advice(for mode: CameraMode) -> ModeAdvice? { modes.first { $0.mode == mode } }
}

/// A product id that indicates the mode.
public struct ProductMode: Codable, Hashable, Sendable {
    /// The vendor id, or `nil` for all vendor ids of the maker.
    public let vendor: USBNumber?
    /// The product id.
    public let product: USBNumber
    /// The mode of a device with this id.
    public let mode: CameraMode
    /// The model, or `nil` if several models share the id.
    public let model: String?
    /// FrameFast's action, or `nil` for the mode's action.
    public let action: DeviceAction?
    /// The first version of libgphoto2 that supports the product, for example `2.5.31`, or `nil` if every
    /// version supports it.
    public let library: String?
    /// The reliability of this fact.
    public let confidence: Confidence
}
