import FrameFastAPI
import Testing

@Suite struct MetricsTextTests {
    private static let sample: MetricsText = {
        var text = MetricsText()
        text.addFamily("framefast_captured_bytes", .counter, unit: "bytes", "Total size of saved photos.")
        text.addSample("framefast_captured_bytes_total", 12_884_901_888)
        text.addFamily("framefast_upload_jobs", .gauge, "Uploads, \"open\" and \\.")
        text.addSample("framefast_upload_jobs", ["destination": "a \"b\"\\\n", "state": "held"], 0.5)
        text.addFamily("framefast_build", .info, "The running version.")
        text.addSample("framefast_build_info", ["version": "1"], 1)
        text.addFamily("framefast_breaker", .stateset, "Circuit breaker.")
        text.addSample("framefast_breaker", ["framefast_breaker": "open"], 1)
        return text
    }()

    @Test func `writes families, units, labels and the end marker of OpenMetrics`() {
        #expect(
            Self.sample.openMetrics == #"""
                # TYPE framefast_captured_bytes counter
                # UNIT framefast_captured_bytes bytes
                # HELP framefast_captured_bytes Total size of saved photos.
                framefast_captured_bytes_total 12884901888
                # TYPE framefast_upload_jobs gauge
                # HELP framefast_upload_jobs Uploads, \"open\" and \\.
                framefast_upload_jobs{destination="a \"b\"\\\n",state="held"} 0.5
                # TYPE framefast_build info
                # HELP framefast_build The running version.
                framefast_build_info{version="1"} 1
                # TYPE framefast_breaker stateset
                # HELP framefast_breaker Circuit breaker.
                framefast_breaker{framefast_breaker="open"} 1
                # EOF

                """#)
    }

    @Test func `the text format has only the types of Prometheus, for the names of the samples`() {
        #expect(
            Self.sample.text == #"""
                # HELP framefast_captured_bytes_total Total size of saved photos.
                # TYPE framefast_captured_bytes_total counter
                framefast_captured_bytes_total 12884901888
                # HELP framefast_upload_jobs Uploads, "open" and \\.
                # TYPE framefast_upload_jobs gauge
                framefast_upload_jobs{destination="a \"b\"\\\n",state="held"} 0.5
                # HELP framefast_build_info The running version.
                # TYPE framefast_build_info gauge
                framefast_build_info{version="1"} 1
                # HELP framefast_breaker Circuit breaker.
                # TYPE framefast_breaker gauge
                framefast_breaker{framefast_breaker="open"} 1

                """#)
    }

    /// The headers of Prometheus 3, of a collector that knows only the text format, and of curl.
    @Test(
        arguments: [
            ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3", true),
            ("Application/OpenMetrics-Text", true), ("text/plain;version=0.0.4;q=1,*/*;q=0.1", false),
            ("*/*", false), (nil, false),
        ] as [(String?, Bool)])
    func `returns OpenMetrics only to a request that accepts it`(accept: String?, isOpenMetrics: Bool) {
        let content = Self.sample.content(accept: accept)
        #expect(content.type.hasPrefix("application/openmetrics-text") == isOpenMetrics)
        #expect(content.text == (isOpenMetrics ? Self.sample.openMetrics : Self.sample.text))
    }
}
