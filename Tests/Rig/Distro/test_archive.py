"""Tests of reading the archive and the settings from apt."""

import unittest

from store import Cannot, archive

MIRROR = "http://mirror.example/debian"


def target(origin="Debian", release="bookworm", component="main", address=f"{MIRROR}/"):
    return "\t".join((origin, release, component, address))


class MirrorTests(unittest.TestCase):
    def test_uses_the_first_archive_of_debian(self):
        lines = [
            target(origin="Other", address="https://other.example/deb"), target(release="bookworm-security", address="http://s.example/"),
            target(release="bookworm-updates"), target(component="contrib"), target(address="cdrom://disk/"), target()]
        self.assertEqual(archive.mirror("\n".join(lines) + "\n"), MIRROR)

    def test_apt_without_lists_suggests_apt_get_update(self):
        for text in ("", target(origin="")):
            with self.assertRaisesRegex(Cannot, "apt-get update"):
                archive.mirror(text)


class SettingsTests(unittest.TestCase):
    DUMP = (
        'APT::Architecture "amd64";\nAcquire "";\nAcquire::http::Proxy "http://proxy.example:3128";\nAcquire::https "";\n'
        'Acquire::Check-Date "false";\nAcquire::http::Proxy-Auto-Detect "/usr/bin/detect";\nAcquire::https::CaInfo "/etc/x.pem";\n'
        'Acquire::Retries "5";\nAcquire::IndexTargets::deb::Packages::MetaKey "x";\n')

    def test_copies_the_apt_settings_for_the_archive(self):
        self.assertEqual(
            archive.settings(self.DUMP),
            ['Acquire::http::Proxy "http://proxy.example:3128";', 'Acquire::Check-Date "false";', 'Acquire::Retries "5";'])

    def test_debootstrap_uses_the_proxy_of_apt(self):
        self.assertEqual(archive.proxies(archive.settings(self.DUMP)), {"http_proxy": "http://proxy.example:3128"})
        self.assertEqual(archive.proxies([]), {})


if __name__ == "__main__":
    unittest.main()
