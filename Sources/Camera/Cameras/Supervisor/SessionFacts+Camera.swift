import FrameFastModel
import Makers

extension SessionFacts {
    /// What the worker read in a session, in the rules' terms.
    init(_ facts: CameraFacts) {
        // The rules look for the words of the driver's summary; the worker read the same operations.
        let abilities = [
            facts.hasGenericCapture == true ? "Generic Image Capture" : nil,
            facts.hasSonyCapture == true ? "Sony Capture" : nil,
        ]
        self.init(
            manufacturer: facts.maker, model: facts.model, vendorExtension: facts.vendorExtension,
            storages: facts.storages.map { Storage(label: $0.label) },
            summary: abilities.compactMap(\.self).joined(separator: ", "))
    }
}
