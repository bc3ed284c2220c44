import FrameFastModel

extension KnowledgeBase {
    /// Classifies a camera again after its PTP session was opened. Facts from the session take precedence
    /// over the USB numbers.
    ///
    /// - Parameter before: The verdict based on the descriptors.
    /// - Returns: A verdict with the action `open` (continue with the session) or `leave` (close it).
    public func classify(session: SessionFacts, after before: Verdict) -> Verdict {
        var verdict = before
        verdict.maker = before.maker ?? maker(named: session.manufacturer)
        verdict.model = session.model.isEmpty ? before.model : session.model
        verdict.action = .open
        verdict.condition = nil
        verdict.guidance = nil
        if before.mode == .phone { return verdict }

        let signs = verdict.maker.map { entry(for: $0)?.session ?? .usual } ?? .unknownMaker
        apply(&verdict, signs.mode(of: session, after: before.mode), signs.confidence)
        return verdict
    }

    private func apply(_ verdict: inout Verdict, _ mode: CameraMode, _ confidence: Confidence) {
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
