public import FrameFastModel

/// A text for users, and the source of its content.
public struct AdviceText: Codable, Hashable, Sendable {
    /// One sentence, or one step in the imperative.
    public let text: String
    /// The source of the content.
    public let confidence: Confidence
}

/// Steps for some models of a maker.
public struct StepGroup: Codable, Hashable, Sendable {
    /// The models as text for users: "A7 III, A9, A6400 (2017 to 2020)"; `nil` for all.
    public let bodies: String?
    /// The model names from the session or the camera table. They are compared without case, spaces and
    /// hyphens.
    public let models: [String]
    /// The steps, in order.
    public let steps: [AdviceText]

    /// Returns whether these steps are for `model`.
    func isFor(_ model: String) -> Bool {
        let name = ModelName.plain(model)
        return models.contains { ModelName.plain($0) == name }
    }
}

/// Advice on a maker's camera in one of its modes.
public struct ModeAdvice: Codable, Hashable, Sendable {
    /// The mode.
    public let mode: CameraMode
    /// The action of FrameFast, or `nil` for the action that applies to all makers.
    public let action: DeviceAction?
    /// The condition to raise, or `nil` for none; a camera that the service ignores then gets
    /// ``ConditionKind/wrongMode``.
    public let condition: ConditionKind?
    /// The problem, in one sentence.
    public let says: AdviceText
    /// The steps if the generation of the camera is unknown.
    public let steps: [AdviceText]
}

/// Advice on a condition.
public struct ConditionAdvice: Codable, Hashable, Sendable {
    /// The condition.
    public let condition: ConditionKind
    /// The problem, in one sentence.
    public let says: AdviceText
    /// The steps to solve the problem.
    public let steps: [AdviceText]
}

extension Guidance {
    /// Creates guidance from advice. It is marked as usual if any of its texts is.
    init(_ says: AdviceText, _ steps: [AdviceText]) {
        self.init(
            sentence: says.text, steps: steps.map(\.text),
            isUsual: ([says] + steps).contains { $0.confidence == .usual })
    }
}

/// Normalizes model names, which sources spell differently: `ILCE-7M3`, `ILCE-7 M3`.
enum ModelName {
    /// Returns a name in lower case, without spaces, hyphens and underscores.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    }
}
