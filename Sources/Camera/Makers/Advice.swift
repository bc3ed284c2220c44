public import FrameFastModel

/// A text for people, and how its content is known.
public struct AdviceText: Codable, Hashable, Sendable {
    /// One sentence, or one step in the imperative.
    public let text: String
    /// How it is known.
    public let confidence: Confidence
}

/// Steps for some bodies of a maker.
public struct StepGroup: Codable, Hashable, Sendable {
    /// Which bodies, for people: "A7 III, A9, A6400 (2017 to 2020)"; `nil` for all.
    public let bodies: String?
    /// Model names, as the session or the camera table has them; compared without case, spaces and hyphens.
    public let models: [String]
    /// The steps, in order.
    public let steps: [AdviceText]

    /// Whether these steps were written for `model`.
    func isFor(_ model: String) -> Bool {
        let name = ModelName.plain(model)
        return models.contains { ModelName.plain($0) == name }
    }
}

/// What a camera of a maker does in one of its modes.
public struct ModeAdvice: Codable, Hashable, Sendable {
    /// The mode.
    public let mode: CameraMode
    /// What FrameFast does then; `nil` for what it does with every maker's.
    public let action: DeviceAction?
    /// The condition that it is; `nil` for none, or for ``ConditionKind/wrongMode`` when the camera is left alone.
    public let condition: ConditionKind?
    /// What is the matter, in one sentence.
    public let says: AdviceText
    /// What to do, when the body's generation is not known.
    public let steps: [AdviceText]
}

/// What to say when a condition holds.
public struct ConditionAdvice: Codable, Hashable, Sendable {
    /// The condition.
    public let condition: ConditionKind
    /// What is the matter, in one sentence.
    public let says: AdviceText
    /// What to do.
    public let steps: [AdviceText]
}

extension Guidance {
    /// Guidance of advice; usual when any of its texts is.
    init(_ says: AdviceText, _ steps: [AdviceText]) {
        self.init(
            sentence: says.text, steps: steps.map(\.text),
            isUsual: ([says] + steps).contains { $0.confidence == .usual })
    }
}

/// Model names, as sources spell them differently: `ILCE-7M3`, `ILCE-7 M3`.
enum ModelName {
    /// Lower case, without spaces and hyphens.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    }
}
