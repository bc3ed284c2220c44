public import FrameFastModel

/// Phrases of the driver (libgphoto2 2.5.30, locale C) and of the worker that name a reason more precisely
/// than the driver's status codes. The driver maps many PTP responses to "Unspecified error".
private let reasonPhrases: [(words: String, condition: ConditionKind)] = [
    ("Store Full", .cardFull),
    ("memorycard ran full", .cardFull),
    ("no more memory on card", .cardFull),
    ("Store Not Available", .noCard),
    ("No Memory Card", .noCard),
    ("Device Busy", .busy),
    ("Store Read Only", .noCard),
    ("Could not claim", .held),
    // FAIL_BUSY of PTP/IP (CIPA DC-005).
    ("(Init_Fail 2)", .held),
]

extension KnowledgeBase {
    /// Returns the user-facing meaning of a failure.
    ///
    /// - Returns: The diagnosis, or `nil` if the code has no specific meaning or no action of the user is
    ///   needed, for example after a cancelled call, a deleted photo or an unplugged cable.
    public func diagnose(_ failure: DriverFailure) -> Diagnosis? {
        guard let condition = condition(of: failure) else { return nil }
        return Diagnosis(condition: condition, guidance: guidance(for: condition, failure: failure))
    }

    private func condition(of failure: DriverFailure) -> ConditionKind? {
        if let found = reasonPhrases.first(where: { failure.text.containsIgnoringCase($0.words) }) {
            return found.condition
        }
        let opens = failure.phase == .opening
        switch (failure.code, failure.connection) {
        case (-1, .network) where opens: return .pairingWanted
        case (-3, _): return opens ? nil : .cardFull
        case (-6, _), (-105, _): return .notSupported
        case (-7, .usb) where opens:
            return failure.nodeIsAccessible == false ? .noPermission : .asleep
        case (-7, .network) where opens, (-10, .network) where opens:
            return failure.mayAwaitApproval ? .pairingWanted : .unreachable
        case (-7, _): return .asleep
        case (-10, _): return opens ? .asleep : .busy
        case (-34, _), (-35, _), (-37, _), (-51, _): return .asleep
        case (-52, _): return opens ? .asleep : nil
        case (-53, _): return .held
        case (-110, _): return .busy
        default: return nil
        }
    }

    /// Returns the guidance for a condition.
    ///
    /// - Parameters:
    ///   - maker: The maker, whose own texts take precedence.
    ///   - model: The model. For ``ConditionKind/notSupported``, the guidance contains the steps for the
    ///     model's generation.
    ///   - holder: The program that uses the camera, for ``ConditionKind/held``.
    public func guidance(
        for condition: ConditionKind, maker: Maker?, model: String? = nil, holder: String? = nil
    ) -> Guidance {
        if condition == .held, let holder { return held(by: holder) }
        if condition == .pairingWanted, let pairing = entry(for: maker)?.network.pairing {
            let general = content.conditions.first { $0.condition == condition }
            return Guidance(
                sentence: general?.says.text ?? pairing.text,
                steps: [pairing.text] + (general?.steps.map(\.text) ?? []),
                isUsual: pairing.confidence == .usual)
        }
        let own = entry(for: maker)?.conditions.first { $0.condition == condition }
        guard let advice = own ?? content.conditions.first(where: { $0.condition == condition }) else {
            return Guidance(sentence: "The camera needs attention.")
        }
        // If the driver does not support a camera, another mode in the camera's USB menu usually helps.
        if condition == .notSupported, let model,
            let group = entry(for: maker)?.usb.first(where: { $0.isFor(model) })
        {
            return Guidance(advice.says, group.steps)
        }
        return Guidance(advice.says, advice.steps)
    }

    /// The guidance for a network camera that usually serves another computer.
    public static let heldOverNetwork = Guidance(
        sentence: "The camera refuses the connection: another computer or app is usually connected to it.",
        steps: [
            "Disconnect the camera in the other computer or app.",
            "If nothing else uses the camera, turn it off and on.",
        ], isUsual: true)

    private func guidance(for condition: ConditionKind, failure: DriverFailure) -> Guidance {
        if condition == .held, failure.connection == .network { return Self.heldOverNetwork }
        var guidance = guidance(
            for: condition, maker: failure.maker, model: failure.model, holder: failure.holder)
        if condition == .pairingWanted, failure.mayAwaitApproval {
            // A camera that serves another computer may also accept the connection without a response.
            guidance.sentence =
                "The camera does not respond. A new camera usually asks on its screen whether this computer may connect."
            guidance.steps.append(
                "If the screen shows no request, disconnect the camera in other computers and apps, then turn it off and on."
            )
            guidance.isUsual = true
        }
        return guidance
    }

    /// Returns guidance with the name of another user's running program, which may be using the camera.
    ///
    /// - Parameter programs: The names of other users' programs, as the kernel reports them.
    /// - Returns: The guidance, or `nil` if no program is known to use cameras.
    public func likelyHeld(amongPrograms programs: Set<String>) -> Guidance? {
        // Excludes the volume monitors, which run on every desktop and only watch for cameras.
        let known = content.holders.filter { !$0.process.hasSuffix("-volume-monitor") }
        for holder in known {
            guard let program = programs.filter(holder.isRunning).min() else { continue }
            return Guidance(
                sentence:
                    "Another user's program is using the camera. It is usually \(program), which is running on this computer.",
                steps: holder.steps.map(\.text), isUsual: true)
        }
        return nil
    }

    private func held(by holder: String) -> Guidance {
        guard let known = content.holders.first(where: { $0.isRunning(as: holder) }) else {
            return Guidance(
                sentence: "\(holder) is using the camera.",
                steps: ["Stop \(holder), or disconnect the camera in it."])
        }
        return Guidance(
            sentence: "\(known.name) is using the camera (\(holder)).", steps: known.steps.map(\.text),
            isUsual: known.steps.contains { $0.confidence == .usual })
    }
}

extension String {
    /// Returns whether the text contains `words`, ignoring case. Both texts must be ASCII, as the driver's
    /// texts are.
    fileprivate func containsIgnoringCase(_ words: String) -> Bool {
        lowercased().contains(words.lowercased())
    }
}
