import Foundation
import FrameFastConfiguration
import FrameFastModel
import Notices
import SettingKeys

extension Notice {
    /// How long a condition has to hold, or to be over, where the table does not say: a plug that is put in again is no news.
    private static let delayUsual: Duration = .seconds(5)
    /// What sends mail where the table does not say (LSB).
    private static let sendmailUsual = "/usr/sbin/sendmail"

    init(_ configured: Configuration.Notice) {
        let channel: NoticeChannel =
            switch configured.kind {
            case .desktop: .desktop
            case .webhook:
                .webhook(
                    NoticeAddress(
                        url: configured.url ?? "", secretFile: configured.secretFile,
                        caFile: configured.caFile))
            case .ntfy:
                .ntfy(
                    NoticeAddress(
                        url: configured.url ?? "", secretFile: configured.tokenFile, caFile: configured.caFile
                    ))
            case .mail:
                .mail(
                    NoticeMail(
                        to: configured.to ?? [], from: configured.from ?? "",
                        sendmail: configured.sendmail ?? Self.sendmailUsual))
            }
        self.init(
            name: NoticeName(rawValue: configured.name), channel: channel,
            severity: configured.severity ?? .warning,
            conditions: configured.conditions.map { Set($0.compactMap(ConditionKind.init(rawValue:))) },
            delay: configured.delay ?? Self.delayUsual,
            quiet: configured.quiet.flatMap(UploadSchedule.Window.init),
            zone: .configured(configured.timeZone))
    }

    /// What is wrong with it, beyond what stands in the files: a secret that cannot be read, a program that is not there.
    func startFaults(environment: [String: String]) -> [any Error] {
        switch channel {
        case .desktop: return SessionBus.fault(environment).map { [NoticeFault(description: $0)] } ?? []
        case .mail(let mail): return mail.faults.map(NoticeFault.init)
        case .webhook(let address), .ntfy(let address):
            do throws(SecretFileError) {
                if let file = address.secretFile { _ = try SecretFile.read(file, environment: environment) }
                return []
            } catch { return [error] }
        }
    }
}

/// Why a notice cannot work.
struct NoticeFault: Error, CustomStringConvertible {
    let description: String
}
