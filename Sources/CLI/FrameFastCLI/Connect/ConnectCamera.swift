import FrameFastAPI

/// The states of a camera that the guided flow of `connect` distinguishes.
extension CameraReply {
    /// Whether the daemon receives photos from the camera.
    var isConnected: Bool { [.ready, .downloading].contains(state) }

    /// Whether a person must do something before the camera can connect.
    var needsAttention: Bool {
        [.wrongMode, .inUse, .noPermission, .failed].contains(state) || guidance != nil && !isConnected
    }

    /// Whether the daemon is still searching for the camera, or the camera is disconnected.
    var isAway: Bool { state == .searching || state == .gone }

    /// The sort order of the camera's state, 0...5: 0 if the camera is connected, 5 if the camera is gone or
    /// its state is unknown.
    var connectRank: Int {
        if isConnected { return 0 }
        if state == .connecting { return 1 }
        if needsAttention { return 2 }
        return switch state {
        case .reconnecting: 3
        case .searching: 4
        default: 5
        }
    }

    /// Returns whether `address`, which may omit the scheme and the default port, is the network address of
    /// this camera.
    func isAt(_ address: String) -> Bool {
        guard let port else { return false }
        return TypedAddress(port) == TypedAddress(address)
    }
}

/// The host and port of a camera, parsed from a text. The text may omit the scheme and the port.
struct TypedAddress: Equatable {
    /// The default port of PTP/IP.
    static let defaultPort = 15740

    var host: String
    var port: Int

    init(_ text: String) {
        var rest = text.lowercased()[...]
        if rest.hasPrefix("ptpip:") { rest = rest.dropFirst("ptpip:".count) }
        if let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
            !rest[..<colon].contains(":") || rest[..<colon].hasSuffix("]")
        {
            self.port = port
            host = String(rest[..<colon])
        } else {
            port = Self.defaultPort
            host = String(rest)
        }
    }

    /// The address as text, without the default port.
    var text: String { port == Self.defaultPort ? host : "\(host):\(port)" }

    /// Returns an error message for a text that is not an address, or `nil` for an address.
    static func validationError(for text: String) -> String? {
        let address = TypedAddress(text)
        let isName =
            !address.host.isEmpty && address.host.allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "/" }
        let isPort = (1...65535).contains(address.port)
        let numbers = address.host.split(separator: ".", omittingEmptySubsequences: false)
        let looksNumeric = address.host.allSatisfy { $0.isNumber || $0 == "." }
        let isNumeric = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return isName && isPort && (!looksNumeric || isNumeric)
            ? nil : "This is not an address. Write it like 192.168.1.5 or 192.168.1.5:15740."
    }
}

extension Explanation {
    /// The error for a missing connection type in a program that cannot prompt.
    static let missingConnection = Explanation(
        status: .usage, code: .badRequest, message: "cannot prompt for the connection type",
        nextStep: "Add --usb, --address ADDRESS or --find.")

    static func unknownMaker(_ id: String, _ makers: [MakerReply]) -> Explanation {
        Explanation(
            status: .usage, code: .badRequest, message: "cannot find a maker '\(id)'",
            nextStep: "Use one of these makers: \(makers.map(\.id).joined(separator: ", ")), or `other`.")
    }
}
