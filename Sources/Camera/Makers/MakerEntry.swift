public import FrameFastModel

/// All that is known of one maker.
public struct MakerEntry: Codable, Hashable, Sendable {
    /// Whether a camera of the maker can be tethered with libgphoto2.
    public enum Tethering: String, Codable, Hashable, Sendable {
        case yes, some, no
    }

    /// Phones among a maker's devices.
    public enum Phones: String, Codable, Hashable, Sendable {
        /// Only a known product is a camera.
        case some
        /// It makes no cameras, and is not in the picker.
        case all
    }

    /// The maker.
    public let maker: Maker
    /// One line for the picker.
    public let line: String
    /// Whether its cameras can be tethered.
    public let tethering: Tethering
    /// Its vendor numbers.
    public let vendors: [USBNumber]
    /// What its name begins with in DeviceInfo; compared without case.
    public let names: [String]
    /// Words in the product string of its cameras, for a vendor number that other devices have as well. Empty when
    /// every device of the vendor is a camera.
    public let cameraWords: [String]
    /// Products whose number tells the mode.
    public let products: [ProductMode]
    /// What its cameras do in each mode.
    public let modes: [ModeAdvice]
    /// Texts for conditions that are other than everyone's.
    public let conditions: [ConditionAdvice]
    /// How to get a camera ready for tethering over USB, by generation.
    public let usb: [StepGroup]
    /// How its cameras are reached over a network.
    public let network: NetworkHabit
    /// How an open session tells the mode; `nil` for ``SessionSigns/usual``.
    public let session: SessionSigns?
    /// Whether the vendor number is on phones, too; `nil` when it is not.
    public let phones: Phones?
    /// What is peculiar.
    public let quirks: MakerQuirks

    /// What to say of `mode`; `nil` when there is nothing of its own to say.
    public func advice(for mode: CameraMode) -> ModeAdvice? { modes.first { $0.mode == mode } }
}

/// A product number that tells the mode.
public struct ProductMode: Codable, Hashable, Sendable {
    /// The vendor number, when the maker has several; `nil` for all of them.
    public let vendor: USBNumber?
    /// The product number.
    public let product: USBNumber
    /// What it means.
    public let mode: CameraMode
    /// The body's name; `nil` when bodies share the number.
    public let model: String?
    /// What FrameFast does, when it is other than the mode would say.
    public let action: DeviceAction?
    /// First version of libgphoto2 that can do it, for example `2.5.31`; `nil` when the version does not matter.
    public let library: String?
    /// How it is known.
    public let confidence: Confidence
}
