public import FrameFastModel

/// The knowledge about one maker.
public struct MakerEntry: Codable, Hashable, Sendable {
    /// Whether the maker's cameras can be tethered with libgphoto2.
    public enum Tethering: String, Codable, Hashable, Sendable {
        case yes, some, no
    }

    /// The share of phones among a maker's devices.
    public enum Phones: String, Codable, Hashable, Sendable {
        /// Some devices are phones: only a known product is a camera.
        case some
        /// All devices are phones. The maker is not in the picker.
        case all
    }

    /// The maker.
    public let maker: Maker
    /// A line for the picker.
    public let line: String
    /// Whether the maker's cameras can be tethered.
    public let tethering: Tethering
    /// The maker's vendor numbers.
    public let vendors: [USBNumber]
    /// The start of the maker's names in DeviceInfo; compared without case.
    public let names: [String]
    /// Words in the product string of the maker's cameras, for a vendor number that other devices share.
    /// Empty if every device of the vendor is a camera.
    public let cameraWords: [String]
    /// The products whose number shows the mode.
    public let products: [ProductMode]
    /// The advice for each mode.
    public let modes: [ModeAdvice]
    /// The texts for conditions that differ from the general ones.
    public let conditions: [ConditionAdvice]
    /// The steps to prepare a camera for tethering over USB, by generation.
    public let usb: [StepGroup]
    /// The network access to the maker's cameras.
    public let network: NetworkProfile
    /// The signs of the mode in an open session; `nil` for ``SessionSigns/usual``.
    public let session: SessionSigns?
    /// Whether phones share the vendor number; `nil` if they do not.
    public let phones: Phones?
    /// The peculiarities of the maker's cameras.
    public let quirks: MakerQuirks

    /// Returns the maker's own advice for `mode`, or `nil` if it has none.
    public func advice(for mode: CameraMode) -> ModeAdvice? { modes.first { $0.mode == mode } }
}

/// A product number that shows the mode.
public struct ProductMode: Codable, Hashable, Sendable {
    /// The vendor number if the maker has several; `nil` for all of them.
    public let vendor: USBNumber?
    /// The product number.
    public let product: USBNumber
    /// The mode of a device with this number.
    public let mode: CameraMode
    /// The model, or `nil` if models share the number.
    public let model: String?
    /// The action of FrameFast, or `nil` for the mode's action.
    public let action: DeviceAction?
    /// The first version of libgphoto2 with support, for example `2.5.31`; `nil` if every version has it.
    public let library: String?
    /// The source of this fact.
    public let confidence: Confidence
}
