public import FrameFastModel

/// The list from which users choose the maker of their camera.
public struct MakerPicker: Sendable {
    /// A row of the list.
    public struct Row: Codable, Hashable, Sendable {
        /// The maker, or `nil` for "another maker, or not sure".
        public let maker: Maker?
        /// The maker's name.
        public let name: String
        /// A one-line description of the maker's cameras.
        public let line: String
        /// Whether a camera of this maker is plugged in.
        public let isDetected: Bool
        /// The models of this maker that are plugged in.
        public let models: [String]
    }

    /// Preparation steps for some models.
    public struct Steps: Codable, Hashable, Sendable {
        /// The models as text for users, or `nil` if the steps apply to all models.
        public let bodies: String?
        /// The steps, in order.
        public let steps: [String]
    }

    private let knowledge: KnowledgeBase

    /// Creates a picker from the knowledge base.
    public init(_ knowledge: KnowledgeBase) { self.knowledge = knowledge }

    /// Returns the rows. Makers of detected cameras come first, and "not sure" comes last. Makers of phones
    /// are omitted.
    ///
    /// - Parameter detected: The classifications of all devices that are plugged in.
    public func rows(detected: [DeviceClassification] = []) -> [Row] {
        let cameras = detected.filter { $0.action != .ignore && $0.mode != .phone }
        let makers = knowledge.makers.filter { $0.phones != .all }.map { entry in
            let own = cameras.filter { $0.maker == entry.maker }
            return Row(
                maker: entry.maker, name: entry.maker.name, line: entry.line, isDetected: !own.isEmpty,
                models: own.compactMap(\.model))
        }
        let unknown = cameras.filter { $0.maker == nil }
        let other = Row(
            maker: nil, name: "Another maker, or not sure",
            line: "FrameFast waits for a camera and identifies it", isDetected: !unknown.isEmpty,
            models: unknown.compactMap(\.model))
        return makers.filter(\.isDetected) + makers.filter { !$0.isDetected } + [other]
    }

    /// Returns the steps to prepare a camera.
    ///
    /// - Parameters:
    ///   - maker: The maker, or `nil` for steps that apply to every camera.
    ///   - model: The model. If its generation is known, returns only the steps for that generation.
    public func steps(for maker: Maker?, connection: ConnectionKind, model: String? = nil) -> [Steps] {
        guard let entry = knowledge.entry(for: maker) else {
            return [Steps(bodies: nil, knowledge.content.unknownMaker)]
        }
        // The note about missed shots comes last, because it does not belong to the preparation.
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
        self.init(bodies: bodies, steps: texts.map(\.text))
    }
}
