import FrameFastAPI
import Localization

/// How a camera looks from the guided flow.
extension CameraReply {
    /// Whether photos come in from it.
    var isConnected: Bool { [.ready, .downloading].contains(state) }

    /// Whether it needs a person.
    var needsSomebody: Bool {
        [.wrongMode, .inUse, .noPermission, .failed].contains(state) || guidance != nil && !isConnected
    }

    /// Whether it is not there.
    var isAway: Bool { state == .searching || state == .gone }

    /// The nearer to ready, the smaller.
    var connectRank: Int {
        if isConnected { return 0 }
        if state == .connecting { return 1 }
        if needsSomebody { return 2 }
        return switch state {
        case .reconnecting: 3
        case .searching: 4
        default: 5
        }
    }

    /// Whether it is at an address, with or without scheme and port.
    func isAt(_ address: String) -> Bool {
        guard let port else { return false }
        return TypedAddress(port) == TypedAddress(address)
    }
}

/// Host and port of a camera, however they are written.
struct TypedAddress: Equatable {
    /// PTP/IP's own port.
    static let portUsual = 15740

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
            port = Self.portUsual
            host = String(rest)
        }
    }

    /// The host, and the port where it is not the usual one.
    var text: String { port == Self.portUsual ? host : "\(host):\(port)" }

    /// What is wrong with a text that should be an address; `nil` when nothing.
    static func complaint(about text: String) -> String? {
        let address = TypedAddress(text)
        let isName =
            !address.host.isEmpty && address.host.allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "/" }
        let isPort = (1...65535).contains(address.port)
        let numbers = address.host.split(separator: ".", omittingEmptySubsequences: false)
        let looksNumeric = address.host.allSatisfy { $0.isNumber || $0 == "." }
        let isNumeric = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return isName && isPort && (!looksNumeric || isNumeric)
            ? nil : localized("This is not an address. Write it like 192.168.1.5 or 192.168.1.5:15740.")
    }
}

extension Explanation {
    /// There is no one to ask how the camera is connected.
    static var missingConnection: Explanation {
        Explanation(
            status: .usage, code: .badRequest, message: localized("cannot ask how the camera is connected"),
            nextStep: localized("Add --usb, --address ADDRESS or --find."))
    }

    static func unknownMaker(_ id: String, _ makers: [MakerReply]) -> Explanation {
        Explanation(
            status: .usage, code: .badRequest, message: localized("cannot find a maker '\(id)'"),
            nextStep: localized("Makers are \(makers.map(\.id).joined(separator: ", ")), and `other`."))
    }
}
