"""A research evaluation in a folder: documents that are pinned already, a dataset over them, a matrix. And PDFs made by
hand, plain and encrypted."""
import hashlib
import json
import zipfile
from pathlib import Path

PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def pdf(*pages, trailer=b"", cipher=lambda number, data: data, more=()):
    """A page for each text, a line for each of its lines."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(count))
    objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>",
               2: f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
               3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
    for i, text in enumerate(pages):
        lines = "".join(f"({line}) Tj 0 -16 Td\n" for line in text.splitlines())
        stream = cipher(5 + 2 * i, f"BT /F1 12 Tf 72 720 Td\n{lines}ET".encode())
        objects[4 + 2 * i] = (f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * i} 0 R "
                              "/Resources << /Font << /F1 3 0 R >> >> >>").encode()
        objects[5 + 2 * i] = f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream"
    for body in more:
        objects[len(objects) + 1] = body
    out = b"%PDF-1.4\n"
    places = []
    for number in sorted(objects):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(places) + 1} /Root 1 0 R ".encode() + trailer + b">>\n"
    return out + f"startxref\n{table}\n%%EOF\n".encode()


def rc4(key, data):
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


def encrypted_pdf(password, *pages):
    """By the standard's first revision: RC4 with 40 bits."""
    padded = (password.encode() + PADDING)[:32]
    owner = rc4(hashlib.md5(padded).digest()[:5], padded)
    name = b"0123456789abcdef"
    key = hashlib.md5(padded + owner + b"\xfc\xff\xff\xff" + name).digest()[:5]
    user = rc4(key, PADDING)

    def cipher(number, data):
        return rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)

    number = 4 + 2 * len(pages)
    rule = f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{owner.hex()}> /U <{user.hex()}> >>".encode()
    trailer = f"/Encrypt {number} 0 R /ID [<{name.hex()}> <{name.hex()}>] ".encode()
    return pdf(*pages, trailer=trailer, cipher=cipher, more=[rule])


def epub(path, *chapters):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml",
                      "<container><rootfiles><rootfile full-path='p.opf'/></rootfiles></container>")
        items = "".join(f"<item id='c{i}' href='c{i}.xhtml'/>" for i in range(len(chapters)))
        refs = "".join(f"<itemref idref='c{i}'/>" for i in range(len(chapters)))
        book.writestr("p.opf", f"<package><manifest>{items}</manifest><spine>{refs}</spine></package>")
        for i, chapter in enumerate(chapters):
            book.writestr(f"c{i}.xhtml", f"<html><body><p>{chapter}</p></body></html>")


def write(folder, documents, profile="", questions=None):
    """`documents`: bytes by file name; their ids are the names before the suffix. `questions`: ids of documents that
    a test is about, by test; one test of each document without it."""
    folder = Path(folder)
    docs = folder / "pinned" / "notes" / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    entries = {}
    dataset = "id: notes\ndocs:\n"
    for name, data in documents.items():
        data = data if isinstance(data, bytes) else data.encode()
        (docs / name).write_bytes(data)
        ident = name.rsplit(".", 1)[0]
        dataset += f"  - {{id: {ident}, title: {ident}, url: \"https://example.invalid/{name}\"}}\n"
        entries[ident] = {"path": f"docs/{name}", "sha256": hashlib.sha256(data).hexdigest()}
    (folder / "pinned/notes/manifest.json").write_text(json.dumps({"docs": entries}))
    dataset += "tests:\n"
    for test, named in (questions or {ident: [ident] for ident in entries}).items():
        dataset += f"  - {{id: {test}, doc_ids: [{', '.join(named)}], query: \"What of {test}?\", " \
                   "expected: {type: contains, text: x}}\n"
    (folder / "notes.yaml").write_text(dataset)
    (folder / "matrix.toml").write_text('dataset = "./notes.yaml"\nsnapshot_root = "./pinned"\noutput_root = "./runs"\n'
                                        f'[[runs]]\nid = "agent"\nmodel_alias = "openai:plain"\n{profile}')
