import FrameFastModel

/// The driver's words for what a camera can do, as they stand in its summary text (locale C).
private struct Abilities {
    let isGeneric: Bool
    let isSony: Bool
    let isVendors: Bool

    init(_ summary: String) {
        isGeneric = summary.contains("Generic Image Capture")
        isSony = summary.contains("Sony Capture")
        isVendors = ["Canon Capture", "Canon EOS Capture", "Nikon Capture", "Olympus E XML Capture"]
            .contains { summary.contains($0) }
    }

    var isAny: Bool { isGeneric || isSony || isVendors }
}

extension KnowledgeBase {
    /// Judges again when a session is open: what the camera says there outweighs its numbers on the bus.
    ///
    /// - Parameter before: The verdict on the descriptors.
    /// - Returns: A verdict whose action is `open` (go on with the session) or `leave` (close it).
    public func judge(session: SessionFacts, after before: Verdict) -> Verdict {
        var verdict = before
        verdict.maker = before.maker ?? maker(named: session.manufacturer)
        verdict.model = session.model.isEmpty ? before.model : session.model
        verdict.action = .open
        verdict.condition = nil
        verdict.guidance = nil
        if before.mode == .phone { return verdict }

        let abilities = Abilities(session.summary)
        switch verdict.maker {
        case .sony:
            let other: CameraMode = before.mode == .autoSelect ? .autoSelect : .mtp
            conclude(&verdict, abilities.isSony ? .tether : other, .source)
        case .fujifilm: conclude(&verdict, fujifilmMode(session, abilities), .reported)
        case .canon, .nikon:
            conclude(&verdict, abilities.isAny ? .tether : .ptp, .source)
        case nil:
            // Whatever it is, it speaks PTP: photos that it announces can be fetched.
            conclude(&verdict, abilities.isAny ? .tether : .ptp, .source)
            verdict.action = .open
        default:
            let silent: CameraMode = before.mode == .tether ? .tether : .mtp
            conclude(&verdict, abilities.isAny ? .tether : silent, .source)
        }
        return verdict
    }

    /// The same product number stands for every PTP mode of a Fujifilm; its storages and operations tell them apart.
    private func fujifilmMode(_ session: SessionFacts, _ abilities: Abilities) -> CameraMode {
        let labels = Set(session.storages.map { $0.label.lowercased() })
        if abilities.isGeneric { return .tether }
        return labels.contains("still") || labels.contains("live") ? .rawConversion : .mtp
    }

    private func conclude(_ verdict: inout Verdict, _ mode: CameraMode, _ confidence: Confidence) {
        verdict.mode = mode
        verdict.confidence = confidence
        guard mode != .tether, mode != .ptp else { return }
        verdict.action = .leave
        guard
            let advice = entry(for: verdict.maker)?.advice(for: mode)
                ?? content.modes.first(where: { $0.mode == mode })
        else { return }
        verdict.condition = advice.condition ?? .wrongMode
        verdict.guidance = steps(advice, model: verdict.model, of: verdict.maker)
    }

    private func steps(_ advice: ModeAdvice, model: String?, of maker: Maker?) -> Guidance {
        guard advice.condition ?? .wrongMode == .wrongMode, let model,
            let group = entry(for: maker)?.usb.first(where: { $0.isFor(model) })
        else { return Guidance(advice.says, advice.steps) }
        return Guidance(advice.says, group.steps)
    }
}
