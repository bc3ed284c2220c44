import APIClient
import ArgumentParser
import FrameFastAPI

struct DoctorUSBVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usb", abstract: "Show what hangs where on the USB, and how many cameras it can take.",
        discussion: """
            Controllers, their buses, hubs and cameras, how long a photo of each camera takes on a shared wire, and how many \
            cameras the kernel has memory for at a time. Asks neither the service nor the cameras. As root it also says whether \
            the kernel had no room for a device. Exits with 4 then.
            """)

    @OptionGroup var global: GlobalOptions

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let report = USBReport.collect()
        do {
            let json = try WireCoder.encode(USBReply(report))
            context.output.show(USBView(report: report, json: json))
        } catch { throw .notUnderstood("\(error)") }
        return report.notes.contains(where: \.isProblem) ? .attention : .success
    }
}
