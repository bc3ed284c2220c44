import FrameFastModel

extension KnowledgeBase {
    /// Classifies a camera again after its PTP session was opened. Facts from the session take precedence
    /// over the descriptors, except if the descriptors indicate a maker or a phone.
    ///
    /// - Parameter before: The classification based on the descriptors.
    /// - Returns: A classification with the action `open` (continue with the session) or `leave` (close it).
    public func classify(session: SessionFacts, after before: DeviceClassification) -> DeviceClassification {
        var classification = before
        classification.maker = before.maker ?? maker(named: session.manufacturer)
        classification.model = session.model.isEmpty ? before.model : session.model
        classification.action = .open
        classification.condition = nil
        classification.guidance = nil
        if before.mode == .phone { return classification }

        let indicators = classification.maker.map { entry(for: $0)?.session ?? .usual } ?? .unknownMaker
        apply(&classification, indicators.mode(of: session, after: before.mode))
        return classification
    }

    private func apply(_ classification: inout DeviceClassification, _ mode: CameraMode) {
        classification.mode = mode
        guard mode != .tether, mode != .ptp else { return }
        classification.action = .leave
        guard
            let advice = entry(for: classification.maker)?.advice(for: mode)
                ?? content.modes.first(where: { $0.mode == mode })
        else { return }
        classification.condition = advice.condition ?? .wrongMode
        classification.guidance = steps(advice, model: classification.model, of: classification.maker)
    }

    private func steps(_ advice: ModeAdvice, model: String?, of maker: Maker?) -> Guidance {
        guard advice.condition ?? .wrongMode == .wrongMode, let model,
            let group = entry(for: maker)?.usb.first(where: { $0.isFor(model) })
        else { return Guidance(advice.says, advice.steps) }
        return Guidance(advice.says, group.steps)
    }
}
