import FrameFastAPI
import Testing

@Suite struct MetricsTextTests {
    @Test func `writes families, units, labels and the end marker of OpenMetrics`() {
        var text = MetricsText()
        text.addFamily("framefast_captured_bytes", .counter, unit: "bytes", "Total size of saved photos.")
        text.addSample("framefast_captured_bytes_total", 12_884_901_888)
        text.addFamily("framefast_upload_jobs", .gauge, "Uploads.")
        text.addSample("framefast_upload_jobs", ["destination": "a \"b\"\\\n", "state": "held"], 0.5)
        #expect(
            text.text == #"""
                # TYPE framefast_captured_bytes counter
                # UNIT framefast_captured_bytes bytes
                # HELP framefast_captured_bytes Total size of saved photos.
                framefast_captured_bytes_total 12884901888
                # TYPE framefast_upload_jobs gauge
                # HELP framefast_upload_jobs Uploads.
                framefast_upload_jobs{destination="a \"b\"\\\n",state="held"} 0.5
                # EOF

                """#)
    }
}
