// Tests of document adapters: how a kind is detected, what text results, and hostile pages and books.
#include "corpus/read/document.h"

#include <doctest/doctest.h>

#include "corpus/limits.h"
#include "corpus/read/html.h"
#include "tests/support/slowness.h"
#include "tests/support/zip_maker.h"

namespace assay {
namespace {

std::string TextOf(DocumentKind kind, std::string_view bytes) {
  Result<DocumentText> document = ReadDocument(kind, bytes);
  return document ? document->text : "error: " + document.error().message;
}

TEST_CASE("the suffix decides, and the first bytes where it does not") {
  struct Row {
    std::string_view name;
    std::string_view bytes;
    std::optional<DocumentKind> want;
  };
  const Row rows[] = {{"a.TXT", "%PDF-1.4", DocumentKind::kText},
                      {"a.md", "", DocumentKind::kMarkdown},
                      {"docs/a.b.htm", "", DocumentKind::kHtml},
                      {"a.bin", "%PDF-1.7\n", DocumentKind::kPdf},
                      {"blob", " \n<!DOCTYPE HTML><p>x", DocumentKind::kHtml},
                      {"blob", "PK\x03\x04......mimetypeapplication/epub+zip", DocumentKind::kEpub},
                      {"blob", "PK\x03\x04......other", std::nullopt},
                      {"blob", "plain \xc3\xa9", DocumentKind::kText},
                      {"blob",
                       "\xff\xfe"
                       "a",
                       DocumentKind::kText},
                      {"blob", std::string_view("a\0b", 3), std::nullopt},
                      {"blob", "\xff\xd8\xff\xe0 JFIF", std::nullopt},
                      {".hidden", "x", DocumentKind::kText},
                      {"a. txt ", "\x01\xff", std::nullopt}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CAPTURE(row.bytes);
    CHECK((DocumentKindOf(row.name, row.bytes) == row.want));
  }
}

TEST_CASE("texts are UTF-8 with plain line ends, whatever they were") {
  CHECK(TextOf(DocumentKind::kText,
               "\xef\xbb\xbf"
               "a\r\nb\rc") == "a\nb\nc");
  CHECK(TextOf(DocumentKind::kText, std::string_view("\xff\xfe"
                                                     "a\0\xe9\0",
                                                     6)) == "a\xc3\xa9");
  CHECK(TextOf(DocumentKind::kText, std::string_view("\xfe\xff\0a", 4)) == "a");
  const DocumentText latin = DecodePlainText("caf\xe9 au lait \xff");
  CHECK(latin.text == "caf au lait ");
  CHECK(latin.dropped_bytes == 2);
  CHECK(TextOf(DocumentKind::kCsv, "a,b\n1,2\n") == "a,b\n1,2\n");
  CHECK(ReadDocument(DocumentKind::kText, " \n\t").error().code == ErrorCode::kInvalidInput);
  CHECK(ReadDocument(DocumentKind::kJson, "").error().code == ErrorCode::kInvalidInput);
  CHECK(ReadDocument(DocumentKind::kText, std::string(limits::kDocumentBytesMax + 1, 'a')).error().code ==
        ErrorCode::kLimit);
}

TEST_CASE("pages of a PDF are those that pdftotext parts") {
  const Result<DocumentText> pdf = ReadDocument(DocumentKind::kPdf, "First page\n\fSecond page\n\f");
  REQUIRE(pdf.has_value());
  CHECK(pdf->text == "First page\n\n\nSecond page\n");
  CHECK(pdf->page_starts == std::vector<std::size_t>{0, 13});
}

TEST_CASE("a page is read as a reader sees it") {
  struct Row {
    std::string_view html;
    std::string_view want;
  };
  const Row rows[] = {
      {"<p>One<p>Two", "One\n\nTwo"},
      {"<h1>Title</h1><p>a <b>bold</b>\n word</p>", "Title\n\na bold word"},
      {"<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"},
      {"<ul><li>a<li>b</ul>", "a\nb"},
      {"a<br>b<hr>c", "a\nb\n\nc"},
      {"x &amp; y &lt;z&gt; &eacute;&#233;&#xE9; &nosuch; &amp",
       "x & y <z> \xc3\xa9\xc3\xa9\xc3\xa9 &nosuch; &amp"},
      {"<pre>a\n  b</pre>", "a\n  b"},
      {"1 < 2 and <3 is a heart", "1 < 2 and <3 is a heart"},
      {"a<!-- b -- > c -->d<!x>e<?y?>f<![CDATA[<g>]]>", "adef<g>"},
      {"<a title='>' href=x>y</a>", "y"},
      {"&#0;&#xD800;&#1114112;", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.html);
    CHECK(ReadHtml(row.html).text == row.want);
  }
}

TEST_CASE("what a page hides is not read") {
  for (const std::string_view html : {"seen<script>if (a < b) document.write('<p>bad')</script>",
                                      "seen<style>bad{}</style>",
                                      "seen<SCRIPT>bad</Script >",
                                      "seen<!-- bad",
                                      "seen<noscript>bad</noscript>",
                                      "seen<div hidden>bad<div>bad</div>bad</div>",
                                      "seen<p style='DISPLAY : none'>bad</p>",
                                      "seen<span style=\"display:/**/none\">bad</span>",
                                      "seen<p style='&#100;isplay:none'>bad</p>",
                                      "seen<i aria-hidden=true>bad</i>",
                                      "seen<template><p>bad</template>",
                                      "seen<svg><text>bad</text></svg>",
                                      "seen<div style='visibility:hidden'><b>bad</div>",
                                      "seen<p hidden>bad<span>bad</p>",
                                      "seen<title>bad</title>",
                                      "seen<head>bad<body>",
                                      "seen<textarea>bad</textarea>",
                                      "seen<font style='font-size:0'>bad</font>",
                                      "seen<ul hidden><li>bad<ul><li>bad</ul><li>bad</ul>",
                                      "seen<p bad='",
                                      "seen<script>bad"}) {
    CAPTURE(html);
    CHECK(ReadHtml(html).text == "seen");
  }
  std::string many = "seen<p";
  for (int i = 0; i < 300; ++i) many += " a" + std::to_string(i);
  CHECK(ReadHtml(many + " hidden>bad</p>").text == "seen");
  CHECK(ReadHtml("<p hidden>bad<p>seen").text == "seen");
  CHECK(ReadHtml("<li hidden>bad<li>seen").text == "seen");
  CHECK(ReadHtml("<head><title>T</title>bad</head><body>seen").text == "seen");
  CHECK(ReadHtml("<br hidden>seen").text == "seen");
}

TEST_CASE("title and links are kept apart") {
  const HtmlPage page = ReadHtml(
      "<title> A\n title </title><a href='/x?a=1&amp;b=2'>the <b>x</b> page</a> and <a>none</a> <a href=y>y");
  CHECK(page.title == "A title");
  CHECK(page.text == "the x page and none y");
  REQUIRE(page.links.size() == 2);
  CHECK(page.links[0].href == "/x?a=1&b=2");
  CHECK(page.links[0].text == "the x page");
  CHECK(page.links[1].text == "y");
}

TEST_CASE("1,000,000 nested tags are one pass") {
  std::string deep;
  for (std::size_t i = 0; i < testing::Sized(1'000'000); ++i)
    deep += i % 3 == 0 ? "<div>" : i % 3 == 1 ? "<x-y>" : "<p a=b>";
  CHECK(ReadHtml(deep + "seen").text == "seen");
  std::string closing;
  for (std::size_t i = 0; i < testing::Sized(300'000); ++i) closing += "</div></p>";
  CHECK(ReadHtml(deep + "a" + closing + "b").text == "a\n\nb");
  std::string quotes;
  for (std::size_t i = 0; i < testing::Sized(200'000); ++i) quotes += "<a \"'= &amp; <";
  ReadHtml(quotes);
  std::string scripts;
  for (std::size_t i = 0; i < testing::Sized(200'000); ++i) scripts += "<script></scrip";
  CHECK(ReadHtml(scripts).text.empty());
  std::string links;
  for (int i = 0; i < 100'000; ++i) links += "<a href=x>";
  CHECK(ReadHtml(links + "z").links.size() == limits::kHtmlLinksMax);
}

constexpr std::string_view kContainer =
    "<?xml version='1.0'?><container><rootfiles><rootfile "
    "full-path=\"OEBPS/content.opf\"/></rootfiles></container>";
constexpr std::string_view kPackage =
    "<package><metadata><dc:title>The Handbook</dc:title></metadata><manifest>"
    "<item id='b' href='two.xhtml'/><item id='a' href='text/one%20.xhtml#x'/><item id='c' href='gone.xhtml'/>"
    "</manifest><spine><itemref idref='a'/><itemref idref='b'/><itemref idref='c'/><itemref "
    "idref='a'/></spine></package>";

TEST_CASE("a book is its chapters in reading order") {
  const std::string bytes =
      MakeZip({StoredPart("mimetype", "application/epub+zip"),
               StoredPart("META-INF/container.xml", std::string(kContainer)),
               StoredPart("OEBPS/content.opf", std::string(kPackage)),
               StoredPart("OEBPS/two.xhtml", "<html><body><p>Second.</p></body></html>"),
               StoredPart("OEBPS/text/one .xhtml", "<p>First &amp; foremost.</p>")});
  CHECK((DocumentKindOf("blob", bytes) == DocumentKind::kEpub));
  const Result<DocumentText> book = ReadDocument(DocumentKind::kEpub, bytes);
  REQUIRE(book.has_value());
  CHECK(book->title == "The Handbook");
  CHECK(book->text == "First & foremost.\n\nSecond.");
  CHECK(book->page_starts == std::vector<std::size_t>{0, 19});
}

TEST_CASE("books that are none are told, and those that swell are stopped") {
  CHECK(ReadDocument(DocumentKind::kEpub, "no archive").error().code == ErrorCode::kCorrupt);
  CHECK(ReadDocument(DocumentKind::kEpub, MakeZip({StoredPart("a", "b")})).error().code ==
        ErrorCode::kCorrupt);
  const std::string empty = MakeZip({StoredPart("META-INF/container.xml", std::string(kContainer)),
                                     StoredPart("OEBPS/content.opf", std::string(kPackage))});
  CHECK(ReadDocument(DocumentKind::kEpub, empty).error().code == ErrorCode::kInvalidInput);
  // Each chapter is small, all of them are not.
  const std::string page = "<p>" + std::string(1u << 20, 'x');
  std::string package = "<manifest>";
  std::vector<ZipPart> parts = {StoredPart("META-INF/container.xml", std::string(kContainer))};
  for (int i = 0; i < 70; ++i)
    package += "<item id='" + std::to_string(i) + "' href='" + std::to_string(i) + "'/>";
  for (int i = 0; i < 70; ++i) package += "<itemref idref='" + std::to_string(i) + "'/>";
  parts.push_back(StoredPart("OEBPS/content.opf", package));
  for (int i = 0; i < 70; ++i) parts.push_back(StoredPart("OEBPS/" + std::to_string(i), page));
  CHECK(ReadDocument(DocumentKind::kEpub, MakeZip(parts)).error().code == ErrorCode::kLimit);
}

}  // namespace
}  // namespace assay
