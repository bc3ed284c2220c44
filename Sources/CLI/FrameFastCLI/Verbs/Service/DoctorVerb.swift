import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and show how to fix them.",
        discussion: """
            Checks the service, its socket, permissions, udev rules, libgphoto2 and cameras. Also checks \
            the disk, the clock, the network, and whether another program uses a camera. Shows problems \
            first, each with its fix. Works even if the service is not running. Exits with 4 if anything \
            needs attention.

            --bundle writes an archive for a bug report. The archive contains the results of doctor, the \
            status, the configuration, the USB devices and the last lines of the log. Passwords, keys and \
            tokens are removed, and serial numbers are shortened. Review the archive before you send it: \
            `tar -xzf FILE`.

            --audit compares the ledger, which is FrameFast's database of photos and uploads, with the files \
            on disk and with the receipts of uploads. The audit reads every photo, changes nothing, and also \
            works while the service is running. It finds missing and changed files, photos that were not \
            saved completely, old part files, and uploads without a receipt or a photo. Exits with 4 if \
            there is a finding.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Write a diagnostics archive (.tar.gz). Never overwrites.", valueName: "file"))
    var bundle: String?

    @Option(
        help: ArgumentHelp("Configuration file for --bundle or --audit.", valueName: "file"))
    var config = DoctorVerb.defaultConfig

    @Flag(help: "Compare every saved photo with its file, and every delivered upload with its receipt.")
    var audit = false

    static let defaultConfig = "/etc/framefast/framefast.toml"

    func validate() throws {
        if audit && bundle != nil { throw ValidationError("--audit and --bundle cannot be combined") }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard !audit else { return showAudit(context) }
        let (facts, found) = ClientChecks.Facts.collect(client: context.client)
        let checks = DiagnosisView.worstFirst(ClientChecks(facts: facts).checks + found)
        let json: Data
        do { json = try WireCoder.encode(DiagnosisReply(checks: checks)) } catch {
            throw .invalidResponse("\(error)")
        }
        let view = DiagnosisView(checks, json: json)
        context.output.show(view)
        if let bundle {
            let unit = ServiceUnit(isUserUnit: facts.isUserUnit, properties: facts.unit)
            let contents = SupportFiles.collect(
                doctor: json, client: context.client, unit: unit,
                config: config == DoctorVerb.defaultConfig ? unit.configurationFile : config)
            do throws(SupportBundleError) { try SupportBundle.write(contents, to: bundle) } catch {
                context.output.printError(error.explanation(bundle))
                return .failed
            }
            context.output.printNote(TextView.gap)
            context.output.printNote(
                BannerView(.success, "Written", bundle, nextStep: "Review the archive before you send it."))
        }
        return view.needsAttention ? .attention : .success
    }

    private func showAudit(_ context: Context) -> ExitStatus {
        // Without `--config`, `framefastd` accepts a missing configuration file. Omit the option for the
        // default path.
        let file = config == DoctorVerb.defaultConfig ? nil : config
        let last = AuditProgram.run(client: context.client, config: file) { progress in
            context.output.showProgress(AuditView.progress(progress))
        }
        context.output.showProgress(nil)
        guard let result = last?.result, let json = try? WireCoder.encode(result) else {
            context.output.printError(AuditProgram.explanation(last?.error))
            return .failed
        }
        let view = AuditView(reply: result, json: json)
        context.output.show(view)
        return result.findingsTotal == 0 ? .success : .attention
    }
}
