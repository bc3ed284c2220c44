"""Creates a temporary authority and certificates for localhost: a good one, an expired one, and one of an unknown authority.

usage: certificates.py FOLDER   writes ca.pem, good.pem, expired.pem and stranger.pem (key and certificate in one file)
"""
import datetime
import ipaddress
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

folder = pathlib.Path(sys.argv[1])
now = datetime.datetime.now(datetime.timezone.utc)
day = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(subject, issuer, key, signer, first, last, authority):
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(first).not_valid_after(last)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True))
    if not authority:
        addresses = [x509.IPAddress(ipaddress.ip_address(f"127.0.0.{n}")) for n in (1, 2)]
        # The S3 bucket "weddings" is also reached under its own host name.
        names = [x509.DNSName("localhost"), x509.DNSName("weddings.localhost"), *addresses]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(signer, hashes.SHA256())


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def keyed(key, certificate):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()) + pem(certificate)


def authority(text):
    key = rsa.generate_private_key(65537, 2048)
    return key, certificate(text, text, key, key, now - 30 * day, now + 30 * day, True)


key, root = authority("FrameFast test authority")
(folder / "ca.pem").write_bytes(pem(root))
strange_key, _ = authority("another authority")
for file, signer, issuer, last in [
    ("good", key, "FrameFast test authority", now + 20 * day),
    ("expired", key, "FrameFast test authority", now - 1 * day),
    ("stranger", strange_key, "another authority", now + 20 * day),
]:
    own = rsa.generate_private_key(65537, 2048)
    made = certificate("localhost", issuer, own, signer, now - 20 * day, last, False)
    (folder / f"{file}.pem").write_bytes(keyed(own, made))
