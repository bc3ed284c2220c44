import FrameFastAPI

/// `GET /v1/me`: who a device is.
struct WebMeReply: WireValue {
    var role: String
    var name: String
    @OrNull var sessionName: String?
    var mayRate: Bool
    var isDone: Bool
    var mayControl: Bool

    init(_ device: WebDevice, sessionName: String?, mayControl: Bool) {
        role = device.role.rawValue
        name = device.name
        self._sessionName = OrNull(wrappedValue: sessionName)
        mayRate = device.role != .screen
        isDone = device.isDone
        self.mayControl = mayControl && device.role == .owner
    }
}

/// `POST /pair`.
struct PairRequest: Decodable {
    var code: String
    var name: String?
}
