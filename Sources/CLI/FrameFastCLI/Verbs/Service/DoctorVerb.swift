import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import TerminalUI

struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and show how to fix them.",
        discussion: """
            Checks the service, its socket, permissions, udev rules, libgphoto2, cameras, other programs \
            that use a camera, the disk, the clock and the network. Shows problems first, each with its \
            fix. Also works if the service is not running. Exits with 4 if anything needs attention.

            --bundle writes an archive for a bug report. It contains the results of doctor, the status, \
            the configuration, the USB devices and the last lines of the log. Passwords, keys and tokens \
            are removed, and serial numbers are shortened. Review the archive before you send it: `tar \
            -xzf FILE`.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Write a diagnostics archive (.tar.gz). Never overwrites.", valueName: "file"))
    var bundle: String?

    @Option(
        help: ArgumentHelp("Configuration file to include in the archive.", valueName: "file"))
    var config = "/etc/framefast/framefast.toml"

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let (facts, found) = ClientChecks.Facts.collect(client: context.client)
        let checks = DiagnosisView.worstFirst(ClientChecks(facts: facts).checks + found)
        let json: Data
        do { json = try WireCoder.encode(DiagnosisReply(checks: checks)) } catch {
            throw .invalidAnswer("\(error)")
        }
        let view = DiagnosisView(checks, json: json)
        context.output.show(view)
        if let bundle {
            let contents = SupportFiles.collect(doctor: json, client: context.client, config: config)
            do throws(SupportBundleError) { try SupportBundle.write(contents, to: bundle) } catch {
                context.output.printError(error.explanation(bundle))
                return .failed
            }
            context.output.printNote(TextView.gap)
            context.output.printNote(
                BannerView(.success, "Written", bundle, nextStep: "Review it before you send it."))
        }
        return view.needsAttention ? .attention : .success
    }
}
