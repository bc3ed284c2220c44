import FrameFastAPI
import FrameFastConfiguration
import SettingKeys
import WebServer

/// The page, as the doctor sees it: who can reach it.
extension Doctor {
    /// Who can reach the page.
    func page() -> Check {
        let web = configuration.web
        guard let address = web.listen, let options = WebService.Options(configuration) else {
            return Check(
                id: "page", title: "Page", verdict: .ok, sentence: "No page is served: nobody can reach it.")
        }
        let place = WebService.address(options)
        let control = web.mayControl ? " An owner's device may release shutters." : ""
        guard address.isOnNetwork else {
            return Check(
                id: "page", title: "Page", verdict: .ok,
                sentence:
                    "Browsers of this computer can reach the page at \(place), once they were let in.\(control)"
            )
        }
        let reach =
            "Browsers on the local network can reach the page at \(place), once they were let in.\(control)"
        guard options.isTLS else {
            return Check(
                id: "page", title: "Page", verdict: .warning,
                sentence: reach + " Everyone on that network can read along.",
                steps: ["Set tls = \"on\" in [web] of the configuration, then restart the service."])
        }
        return Check(id: "page", title: "Page", verdict: .ok, sentence: reach)
    }
}
