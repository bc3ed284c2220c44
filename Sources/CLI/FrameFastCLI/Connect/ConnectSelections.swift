import FrameFastAPI

/// The choices made so far in the guided flow, by command-line options or by keys.
struct ConnectSelections: Equatable {
    /// The maker of the camera.
    enum Maker: Equatable {
        case known(MakerReply)
        /// A maker that is not in the list, or that the person does not know. On a terminal, this is never
        /// the default.
        case notSure
    }

    /// The session that photos are filed under.
    enum Session: Equatable {
        /// The running session. If no session is running, photos are filed without a session.
        case current
        /// A new session whose name the person has not entered yet.
        case enteringName
        case new(name: String)
    }

    /// The connection to the camera.
    enum Connection: Equatable {
        case usb
        /// A network connection. The value is `nil` until the person chooses how to find the camera.
        case network(Network?)
    }

    /// The way to find a camera on the network.
    enum Network: Equatable {
        /// An address that the person has not entered yet.
        case enteringAddress
        case address(String)
        case search(sweep: Bool)
    }

    var maker: Maker?
    var session: Session?
    var mode: UploadMode?
    var connection: Connection?
    /// The new name of the camera, or `nil` to keep its name.
    var name: String?

    /// The maker's id in the daemon, or `nil` if the maker is unknown.
    var makerID: String? {
        if case .known(let maker) = maker { maker.id } else { nil }
    }

    /// The steps for the chosen maker and connection.
    var guidance: GuidanceReply {
        switch (maker, connection) {
        case (.known(let maker), .network): maker.network ?? Self.anyNetwork
        case (.known(let maker), _): maker.usb
        case (_, .network): Self.anyNetwork
        default: Self.anyUSB
        }
    }

    static let anyUSB = GuidanceReply(
        sentence: "Connect the camera with a USB cable.",
        steps: [
            "Use a cable that carries data, not one that only charges.",
            "In the camera's USB menu, choose the mode for tethering: usually 'PC Remote', 'PTP' or 'Tether'.",
            "Turn off the camera's Wi-Fi if it has Wi-Fi: it often blocks USB.",
            "Turn on the camera and plug it in.",
        ])

    static let anyNetwork = GuidanceReply(
        sentence: "Put the camera and this computer on the same network.",
        steps: [
            "In the camera's Wi-Fi menu, choose the connection to a computer: usually 'Remote control', 'PC Remote' or 'EOS Utility'.",
            "Join the same network on the camera and this computer, or join the camera's own network from this computer.",
        ])
}

extension MakerReply {
    /// Returns whether this maker made a camera.
    ///
    /// The camera's maker must share a word with this maker's id or name. Ignores words such as "camera".
    func isMaker(of camera: CameraReply) -> Bool {
        guard let name = camera.maker else { return false }
        let words = Self.words(name)
        return words.contains(id.lowercased()) || !words.isDisjoint(with: Self.words(self.name))
    }

    private static func words(_ text: String) -> Set<String> {
        let common: Set = ["system", "systems", "camera", "cameras", "corporation", "digital", "imaging"]
        return Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)).subtracting(
            common
        ).filter { $0.count > 1 }
    }
}
