public import FrameFastModel

/// The list from which a person picks the maker of their camera.
public struct MakerPicker: Sendable {
    /// A row of the list.
    public struct Row: Codable, Hashable, Sendable {
        /// The maker; `nil` for "another maker, or not sure".
        public let maker: Maker?
        /// The maker's name.
        public let name: String
        /// One line about it.
        public let line: String
        /// Whether a camera of it is plugged in now.
        public let isDetected: Bool
        /// The models that are plugged in.
        public let models: [String]
    }

    /// Steps for some bodies.
    public struct Steps: Codable, Hashable, Sendable {
        /// Which bodies; `nil` for all.
        public let bodies: String?
        /// The steps, in order.
        public let steps: [String]
        /// Whether a wording is common knowledge only.
        public let isUsual: Bool
    }

    private let knowledge: KnowledgeBase

    /// A picker on what is known.
    public init(_ knowledge: KnowledgeBase) { self.knowledge = knowledge }

    /// The rows: makers of detected cameras first, phones left out, "not sure" last.
    ///
    /// - Parameter detected: Verdicts on all devices that are plugged in.
    public func rows(detected: [Verdict] = []) -> [Row] {
        let cameras = detected.filter { $0.action != .ignore && $0.mode != .phone }
        let makers = knowledge.makers.filter { $0.phones != .all }.map { entry in
            let own = cameras.filter { $0.maker == entry.maker }
            return Row(
                maker: entry.maker, name: entry.maker.name, line: entry.line, isDetected: !own.isEmpty,
                models: own.compactMap(\.model))
        }
        let strange = cameras.filter { $0.maker == nil }
        let other = Row(
            maker: nil, name: "Another maker, or not sure",
            line: "FrameFast waits for a camera and says what it finds", isDetected: !strange.isEmpty,
            models: strange.compactMap(\.model))
        return makers.filter(\.isDetected) + makers.filter { !$0.isDetected } + [other]
    }

    /// How to get a camera ready.
    ///
    /// - Parameters:
    ///   - maker: The maker; `nil` for the steps that fit any camera.
    ///   - model: The model; its own generation is then the only answer, when it is known.
    public func steps(for maker: Maker?, connection: CameraConnection, model: String? = nil) -> [Steps] {
        guard let entry = knowledge.entry(for: maker) else {
            return [Steps(bodies: nil, knowledge.content.unknownMaker)]
        }
        // Said last, where the person reads what to do: nothing fetches those shots later.
        let missed = entry.quirks.missedShots.map { [$0] } ?? []
        switch connection {
        case .network: return [Steps(bodies: nil, entry.network.steps + missed)]
        case .usb:
            let own = model.flatMap { model in entry.usb.first { $0.isFor(model) } }
            return (own.map { [$0] } ?? entry.usb).map { Steps(bodies: $0.bodies, $0.steps + missed) }
        }
    }
}

extension MakerPicker.Steps {
    init(bodies: String?, _ texts: [AdviceText]) {
        self.init(
            bodies: bodies, steps: texts.map(\.text), isUsual: texts.contains { $0.confidence == .usual })
    }
}
