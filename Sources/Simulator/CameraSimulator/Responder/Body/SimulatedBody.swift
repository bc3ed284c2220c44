/// The body of one maker: its settings, buttons, live view and events, and the operations that it adds or
/// changes.
///
/// To change the parts that all makers share, the functions of a body use only the parameter `camera`.
protocol SimulatedBody: Sendable {
    /// The exposure in a photo's metadata. After a bulb exposure, the exposure time is the time for which the
    /// shutter was open.
    var exposure: ShotExposure { get }
    /// The kinds of files that the body's menu selects, or `nil` for the configured kinds.
    var recording: Recording? { get }
    /// The destination of new photos.
    var destination: PhotoDestination { get set }
    /// The destinations that the body's menu offers.
    var destinations: [PhotoDestination] { get }
    /// The forced responses to property changes, by property code. The property then stays unchanged, even if
    /// the response is OK.
    var forcedResponses: [UInt16: PTPResponse] { get set }
    /// Whether the client has locked the body's buttons and dials.
    var isLocked: Bool { get }
    /// The events that the camera sends before it announces a photo.
    var eventsBeforeShot: [PTPEvent] { get }
    /// The settings that change with each shot. The camera announces them after the shot.
    var settingsAfterShot: [UInt16] { get }

    /// Returns the properties in DeviceInfo.
    func propertyCodes(of camera: CameraCore) -> [UInt16]

    /// Returns a property that the PTP standard's operations can access, except the clock. Returns `nil`
    /// if the body does not have the property. For the battery, `nil` selects a level in percent.
    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty?

    /// Sets a property for a client.
    mutating func setProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply

    /// Replaces the fixed handle of the camera's memory with the handle of the current photo in memory.
    /// Returns all other handles unchanged.
    func resolved(_ handle: UInt32, on card: Card) -> UInt32

    /// Performs an operation that this maker adds or changes, or returns `nil` for all other operations.
    mutating func perform(
        _ operation: PTPOperation, _ request: PTPRequest, on camera: inout CameraCore, at now: WallTime
    ) -> PTPReply?

    mutating func handleSessionStart(on camera: inout CameraCore)
    mutating func handleSessionEnd(on camera: inout CameraCore)

    /// Handles new photos before the camera announces them.
    mutating func handleShot(_ photos: [CardObject], on camera: inout CameraCore)

    /// Handles a photo that a client has read completely.
    mutating func handleDelivery(of handle: UInt32, on camera: inout CameraCore)

    /// Turns a dial or changes a menu setting as the photographer would.
    mutating func turn(_ dial: BodyControl.Dial, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError)

    /// Returns the values of the settings that are numbers, by property code.
    func controls(of camera: CameraCore, at now: WallTime) -> [UInt16: Int64]

    /// Performs a command that only some bodies support and returns the reply, or returns `nil` for all other
    /// commands.
    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String?
}

extension SimulatedBody {
    var recording: Recording? { nil }
    var destinations: [PhotoDestination] { [] }
    var isLocked: Bool { false }
    var eventsBeforeShot: [PTPEvent] { [] }
    var settingsAfterShot: [UInt16] { [] }

    func property(_ code: UInt16, of camera: CameraCore, at now: WallTime) -> DeviceProperty? { nil }

    mutating func setProperty(
        _ code: UInt16, _ property: DeviceProperty, _ data: [UInt8], on camera: inout CameraCore
    ) -> PTPReply { PTPReply(.devicePropNotSupported) }

    func resolved(_ handle: UInt32, on card: Card) -> UInt32 { handle }

    mutating func handleSessionStart(on camera: inout CameraCore) {}
    mutating func handleSessionEnd(on camera: inout CameraCore) {}
    mutating func handleShot(_ photos: [CardObject], on camera: inout CameraCore) {}
    mutating func handleDelivery(of handle: UInt32, on camera: inout CameraCore) {}

    mutating func perform(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime) -> String? {
        nil
    }

    /// Runs a command of the control socket and returns the reply, without the final line break.
    mutating func run(_ control: BodyControl, on camera: inout CameraCore, at now: WallTime)
        throws(SimulatorError) -> String
    {
        switch control {
        case .dials(let dials): for dial in dials { try turn(dial, on: &camera, at: now) }
        case .forceResponse(let code, let response): forcedResponses[code] = response
        case .controls:
            let numbers = controls(of: camera, at: now).sorted { $0.key < $1.key }
                .map { "\"\(String($0.key, radix: 16))\":\($0.value)" }
            return "ok {\(numbers.joined(separator: ","))}"
        default:
            if let reply = perform(control, on: &camera, at: now) { return reply }
            throw .usage("\(camera.profile.name) does not support this command")
        }
        return "ok"
    }

    /// Replaces the fixed handle of the camera's memory in a request with the handle of the current photo in
    /// memory.
    func resolved(_ request: PTPRequest, on card: Card) -> PTPRequest {
        guard let handle = request.parameters.first else { return request }
        var request = request
        request.parameters[0] = resolved(handle, on: card)
        return request
    }

    /// Ends the session. Photos with the storage ID 0, which are only in memory, are lost, as on a real body.
    /// A Fujifilm's memory has a storage ID and keeps its photos.
    mutating func endSession(on camera: inout CameraCore) {
        camera.session = nil
        handleSessionEnd(on: &camera)
        let lost = camera.clearMemory()
        camera.statistics.lost += lost
    }
}
