#!/usr/bin/env python3
"""The words of .docx, .xlsx and .pptx documents reach the model: paragraphs, tables and notes, cells of several sheets,
texts of slides in the order of the presentation. A file that is none of these is a problem at its document."""
import json
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
P = (f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="{R}" '
     'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"')
RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
XML = '<?xml version="1.0" encoding="UTF-8"?>'


def packed(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in files.items():
            out.writestr(name, XML + text)


def relations(kind, names):
    rows = "".join(f'<Relationship Id="rId{i}" Type="{R}/{kind}" Target="{name}"/>' for i, name in enumerate(names, 1))
    return f"<Relationships {RELATIONS}>{rows}</Relationships>"


def docx(path):
    def paragraph(text):
        return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    row = "<w:tr>" + "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Berth", "41 metres")) + "</w:tr>"
    packed(path, {"word/document.xml": f"<w:document {W}><w:body>{paragraph('The chair is oiled every 37 months.')}"
                  f"<w:p><w:r><w:t>Split </w:t></w:r><w:r><w:t xml:space='preserve'>word &amp; more</w:t></w:r></w:p>"
                  f"<w:tbl>{row}</w:tbl></w:body></w:document>"})


def xlsx(path):
    strings = f"<sst {S}><si><t>Pump rate</t></si><si><r><t>litres </t></r><r><t>a minute</t></r></si></sst>"
    first = (f'<worksheet {S}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>613</v></c>'
             '<c r="C1" t="s"><v>1</v></c></row></sheetData></worksheet>')
    second = (f'<worksheet {S}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Valve kept shut</t></is></c>'
              "</row></sheetData></worksheet>")
    book = (f'<workbook {S} xmlns:r="{R}"><sheets><sheet name="Pumps" sheetId="1" r:id="rId1"/>'
            '<sheet name="Valves" sheetId="2" r:id="rId2"/></sheets></workbook>')
    packed(path, {"xl/workbook.xml": book, "xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": first,
                  "xl/worksheets/sheet2.xml": second,
                  "xl/_rels/workbook.xml.rels": relations("worksheet", ["worksheets/sheet1.xml",
                                                                       "worksheets/sheet2.xml"])})


def pptx(path):
    def slide(*texts):
        lines = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
        return f"<p:sld {P}><p:cSld><p:spTree><p:sp><p:txBody>{lines}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>"
    # The presentation shows the second file first.
    deck = f'<p:presentation {P}><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/>' \
           "</p:sldIdLst></p:presentation>"
    packed(path, {"ppt/presentation.xml": deck, "ppt/slides/slide1.xml": slide("Shown last: ebb at noon"),
                  "ppt/slides/slide2.xml": slide("Shown first: flood at dawn", "Two tugs wait"),
                  "ppt/_rels/presentation.xml.rels": relations("slide", ["slides/slide1.xml", "slides/slide2.xml"])})


NAMES = {"chair.docx": docx, "pumps.xlsx": xlsx, "tides.pptx": pptx}
QUERIES = {"chair.docx": "How often is the chair oiled, how long is the berth, and which word is split?",
           "pumps.xlsx": "What is the pump rate in litres a minute, and which valve is kept shut?",
           "tides.pptx": "When is flood, when is ebb, and what is shown first and last?"}
WORDS = {"chair.docx": ["oiled every 37 months", "Split word & more", "Berth", "41 metres"],
         "pumps.xlsx": ["Pump rate", "613", "litres a minute", "Valve kept shut"],
         "tides.pptx": ["flood at dawn", "Two tugs wait", "ebb at noon"]}

with e2e.scratch() as scratch:
    folder = Path(scratch)
    docs = tests = ""
    for name, make in NAMES.items():
        make(folder / name)
        docs += f"  - {{id: {name.partition('.')[0]}, title: '{name}', url: 'file:{name}'}}\n"
        tests += (f"  - {{id: q-{name.partition('.')[0]}, doc_id: {name.partition('.')[0]}, "
                  f"query: '{QUERIES[name]}', expected: {{type: contains, text: word}}}}\n")
    (folder / "questions.yaml").write_text(f"id: office\ndocs:\n{docs}tests:\n{tests}")
    (folder / "matrix.toml").write_text("dataset = './questions.yaml'\nsnapshot_root = './snapshots'\n"
                                        "output_root = './runs'\n[[runs]]\nid = 'lean'\nmodel_alias = 'openai:one'\n"
                                        "source_provider = 'local_snapshot'\nresearch_mode = true\nlean = true\n")
    with MockServer(answer=lambda text: "a word") as mock:
        where = {"OPENAI_API_KEY": "sk-0123456789", "OPENAI_BASE_URL": f"{mock.url}/v1"}
        e2e.expect(e2e.assay("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots", cwd=folder), 0)
        e2e.expect(e2e.assay("run", "matrix.toml", "-q", cwd=folder, env=where), 0)
        for name, words in WORDS.items():
            asked = [json.dumps(each["body"], ensure_ascii=False) for each in mock.requests
                     if QUERIES[name] in json.dumps(each["body"])]
            e2e.check(asked, f"{name} is asked about")
            missing = [word for word in words if word not in asked[0]]
            e2e.check(not missing, f"{name}: {missing} reach the model: {asked[0][:3000]}")
        slides = next(text for text in (json.dumps(each["body"]) for each in mock.requests)
                      if QUERIES["tides.pptx"] in text)
        e2e.check(slides.index("flood at dawn") < slides.index("ebb at noon"), "slides in the presentation's order")

        # Half a file, and a zip that is no presentation.
        for name, content in (("chair.docx", (folder / "chair.docx").read_bytes()[:200]), ("tides.pptx", b"")):
            (folder / name).write_bytes(content)
        broken = e2e.assay("prepare", "--dataset", "questions.yaml", "--snapshot-root", "again", cwd=folder)
        told = e2e.assay("run", "matrix.toml", "--fresh", cwd=folder, env=where)
        said = broken.stdout + broken.stderr + told.stdout + told.stderr
        e2e.check("chair" in said, "a broken file is named", broken)
