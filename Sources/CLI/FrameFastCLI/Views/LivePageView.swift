import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The address of a camera's live view on the web page.
struct LivePageView: ComponentPresentation {
    let page: LivePage
    let browser: LivePage.BrowserStart

    var json: Data { (try? WireCoder.encode(["url": page.url])) ?? Data() }

    var parts: [any Component] {
        [
            InfoRowView(rows: [(label: "Page", value: page.url)]), TextView.gap,
            TextView.wrapped(advice, .caption),
        ]
    }

    func plain() -> [String] { InfoRowView(rows: [(label: "Page", value: page.url)]).plain() }

    private var advice: String {
        switch browser {
        case .opening: "The browser opens the page. If the browser is not paired, enter an owner's code."
        case .noDisplay: "This computer has no display. Open the address on an owner's device."
        case .noOpener: "Cannot start \(LivePage.opener). Open the address in a browser."
        }
    }
}
