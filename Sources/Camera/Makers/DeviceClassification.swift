public import FrameFastModel

/// The classification of a device: its mode, FrameFast's action and the guidance for the user.
public struct DeviceClassification: Codable, Hashable, Sendable {
    /// The maker, or `nil` if unknown.
    public var maker: Maker?
    /// The model, or `nil` if unknown. The model is only a hint until a PTP session confirms it.
    public var model: String?
    /// The mode of the device.
    public var mode: CameraMode
    /// FrameFast's action.
    public var action: DeviceAction
    /// The condition, or `nil` if the device is usable or not a camera.
    public var condition: ConditionKind?
    /// The guidance for the user, or `nil` if none is needed.
    public var guidance: Guidance?
}
