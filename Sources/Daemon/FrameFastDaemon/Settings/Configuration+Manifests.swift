import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Manifests
import SettingKeys
import Store
import UploadEngine

extension ManifestService.Settings {
    init(_ configuration: Configuration, template: NamingTemplate) {
        self.init(
            directory: configuration.capture.directory, template: template,
            isAutomatic: configuration.manifest.isAutomatic,
            creator: ManifestCreator(
                host: configuration.host.rawValue, version: ProductVersion.current,
                author: configuration.manifest.author))
    }
}

extension ManifestFiles {
    /// What destinations get of a folder's history.
    init(_ history: SealedHistory) {
        self.init(
            folderName: SealedHistory.folderName,
            manifests: history.manifests.map { .init(generation: $0.number, name: $0.name) },
            chainName: SealedHistory.chainName, chain: history.chain)
    }
}

extension Configuration {
    /// What the template means for manifests, for people; `nil` when every session has a history of its own, or nothing is
    /// sealed by itself.
    var manifestNote: String? {
        guard manifest.isAutomatic, let template = try? NamingTemplate(capture.template, host: host),
            template.folder(ofSession: nil) == nil
        else { return nil }
        return
            "[capture] template does not begin with {session}/: all sessions share one manifest history, in \(capture.directory)"
    }
}
