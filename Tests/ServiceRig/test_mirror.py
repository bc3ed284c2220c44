"""Tests of the server that provides this computer's archive to a guest."""
import pathlib, socket, tempfile, unittest, urllib.error, urllib.request
from rig.mirror import Mirror

RELEASE = b"Suite: stable\n"


def get(mirror, path):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://127.0.0.1:{mirror.port}{path}", timeout=60) as answer:
        return answer.read()


class MirrorTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "dists" / "trixie").mkdir(parents=True)
        (self.folder / "dists" / "trixie" / "InRelease").write_bytes(RELEASE)
        (self.folder / "package_1%3a2.deb").write_bytes(bytes(range(256)) * 999)

    def test_answers_with_the_bytes_of_the_archive(self):
        # The archive of a mirror is itself a mirror of a folder.
        with Mirror(self.folder.as_uri()) as archive, Mirror(f"http://127.0.0.1:{archive.port}/") as mirror:
            self.assertEqual(get(mirror, "/dists/trixie/InRelease"), RELEASE)
            self.assertEqual(get(mirror, "/package_1%253a2.deb"), bytes(range(256)) * 999)

    def test_answers_404_for_a_missing_file(self):
        with Mirror(self.folder.as_uri()) as archive, Mirror(f"http://127.0.0.1:{archive.port}") as mirror:
            for server in (archive, mirror):
                with self.assertRaises(urllib.error.HTTPError) as caught:
                    get(server, "/dists/trixie/nothing")
                self.assertEqual(caught.exception.code, 404)
                caught.exception.close()

    def test_reports_a_release_that_the_archive_does_not_have(self):
        with Mirror(self.folder.as_uri()) as mirror:
            self.assertIsNone(mirror.obstacle("trixie"))
            self.assertIn("does not provide forky", mirror.obstacle("forky"))

    def test_reports_an_archive_that_does_not_respond(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{probe.getsockname()[1]}"
        with Mirror(address) as mirror:
            self.assertIn("does not provide trixie", mirror.obstacle("trixie"))
            with self.assertRaises(urllib.error.HTTPError) as caught:
                get(mirror, "/dists/trixie/InRelease")
            self.assertEqual(caught.exception.code, 502)
            caught.exception.close()


if __name__ == "__main__":
    unittest.main()
