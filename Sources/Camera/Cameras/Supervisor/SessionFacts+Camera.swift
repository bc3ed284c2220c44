import FrameFastModel
import Makers

extension SessionFacts {
    /// Creates facts for the rules from the facts that the worker reported.
    init(_ facts: CameraFacts) {
        // The rules search the driver's summary for phrases. This code creates a summary with the phrases for
        // the operations that the worker reported.
        let abilities = [
            facts.hasGenericCapture == true ? "Generic Image Capture" : nil,
            facts.hasSonyCapture == true ? "Sony Capture" : nil,
        ]
        self.init(
            manufacturer: facts.maker, model: facts.model,
            storages: facts.storages.map { Storage(label: $0.label) },
            summary: abilities.compactMap(\.self).joined(separator: ", "))
    }
}
