import FrameFastAPI

/// What the person has answered so far, by flags or by keys. The flow is where these answers lead.
struct ConnectAnswers: Equatable {
    /// Whose camera it is.
    enum Maker: Equatable {
        case known(MakerReply)
        /// Another maker, or not sure. Never a default: a person chose it.
        case notSure
    }

    /// Where photos are filed.
    enum Session: Equatable {
        /// Under the session that is running, if one is.
        case asItIs
        /// Under a new one, whose name is being asked for.
        case typing
        /// A new one.
        case new(name: String)
    }

    /// How the camera is reached.
    enum Connection: Equatable {
        case usb
        /// On the network; `nil` until it is known how to find it.
        case network(Network?)
    }

    /// How a camera on the network is found.
    enum Network: Equatable {
        /// It is being asked for.
        case typing
        case address(String)
        case look(sweep: Bool)
    }

    var maker: Maker?
    var session: Session?
    var mode: SessionReply.UploadMode?
    var connection: Connection?
    /// What the camera is to be called; `nil` leaves its name.
    var name: String?

    /// The maker's id for the daemon; `nil` when not known.
    var makerID: String? {
        if case .known(let maker) = maker { maker.id } else { nil }
    }

    /// What the maker says about the chosen connection.
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
            "In the camera's USB menu choose the mode for tethering: usually 'PC Remote', 'PTP' or 'Tether'.",
            "Turn the camera's Wi-Fi off if it has any: it often blocks USB.",
            "Switch the camera on and plug it in.",
        ])

    static let anyNetwork = GuidanceReply(
        sentence: "Put the camera and this computer on the same network.",
        steps: [
            "In the camera's Wi-Fi menu choose the connection to a computer: usually 'Remote control', 'PC Remote' or 'EOS Utility'.",
            "Join the same network on both, or join the camera's own network from this computer.",
        ])
}

extension MakerReply {
    /// Whether a camera that calls its maker `name` is of this maker: a word in common that is a name.
    func made(_ camera: CameraReply) -> Bool {
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
