// Tests of answers as HTML: what stays, what goes, and that no reader finds more in the result than was put
// there.
#include "report/page/html/safe_html.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("what can be looked at stays") {
  struct Row {
    std::string_view html;
    std::string_view safe;
  };
  const Row rows[] = {
      {"plain & simple", "plain & simple"},
      {"1 < 2 > 0", "1 &lt; 2 &gt; 0"},
      {"<p class='a' style=\"color: red\">Hi &amp; bye</P>",
       "<p class=\"a\" style=\"color: red\">Hi &amp; bye</p>"},
      {"<TABLE border=1><tr><td colspan=\"2\">x", "<table border=\"1\"><tr><td colspan=\"2\">x"},
      {"<style>b { color: red }</style><b>x</b>", "<style>b { color: red }</style><b>x</b>"},
      {"<!doctype html><html><head><title>T</title></head><body>x</body></html>",
       "<html><head></head><body>x</body></html>"},
      {"a<!-- b -->c", "ac"},
      {"<br/>", "<br>"},
      {"<input type=checkbox checked>", "<input type=\"checkbox\" checked=\"\">"},
      {"<p title='\"><link rel=preconnect href=//h>'>",
       "<p title=\"&quot;&gt;&lt;link rel=preconnect href=//h&gt;\">"},
      {"<", "&lt;"},
      {"</", "&lt;/"},
      {"<p", "<p>"},
      {"<p class=", "<p class=\"\">"},
      {"<3", "&lt;3"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.html);
    CHECK(SafeHtml(row.html) == row.safe);
    CHECK(SafeHtml(row.safe) == row.safe);
  }
}

TEST_CASE("what could reach another host goes") {
  struct Row {
    std::string_view html;
    std::string_view safe;
  };
  const Row rows[] = {
      {"<link rel=preconnect href=https://h>x", "x"},
      {"<LINK REL=dns-prefetch HREF=//h>x", "x"},
      {"<meta http-equiv=refresh content='0;url=https://h'>x", "x"},
      {"<base href=https://h/><a href=b target=_blank ping=https://h>x</a>", "<a>x</a>"},
      {"<img src=https://h/a.png alt='a cat'>", "[image: a cat]"},
      {"<img src=https://h/a.png srcset='https://h/b 2x'>x", "x"},
      {"<iframe src=https://h></iframe>x", "x"},
      {"<iframe srcdoc='<b>'>y</iframe>x", "x"},
      {"<object data=https://h><p>y</object><embed src=https://h>x", "x"},
      {"<video poster=https://h><source src=https://h></video>x", "x"},
      {"<svg><image href=https://h /><style>a{}</style></svg>x", "x"},
      {"<math><mtext><style><img src=https://h></style></mtext></math>x", "x"},
      {"<script>fetch('https://h')</script>x", "x"},
      {"<script type=speculationrules>{}</script >x", "x"},
      {"<template><link rel=preconnect href=//h></template>x", "x"},
      {"<noscript><link rel=preconnect href=//h></noscript>x", "x"},
      {"<form action=https://h><button formaction=https://h>x</button></form>", "<button>x</button>"},
      {"<input type=image src=https://h>", "<input type=\"image\">"},
      {"<body background=https://h>x", "<body>x"},
      {"<p style='background: url(https://h)'>x", "<p>x"},
      {"<p style='background: u\\72l(https://h)'>x", "<p>x"},
      {"<p style='background: &#117;rl(https://h)'>x", "<p>x"},
      {"<p style='background: image-set(\"https://h\" 1x)'>x", "<p>x"},
      {"<style>@import 'https://h';</style>x", "x"},
      {"<style>@IMPORT url(https://h)</STYLE>x", "x"},
      {"<style>a{} <!-- </style><link rel=preconnect href=//h>x", "x"},
      {"<style>@font-face { src: url(//h) }", ""},
      {"<frameset><frame src=https://h></frameset>x", "x"},
      {"<plaintext><link rel=preconnect href=//h>", ""},
      {"<textarea><link rel=preconnect href=//h></textarea>x", "x"},
      {"<portal src=https://h></portal>x", "x"},
      {"<x-y onclick=a>x</x-y>", "x"},
      {"<p onmouseover=a href=b src=c data-a=d xlink:href=e>x", "<p>x"},
      {"<<link rel=preconnect href=//h>>x", "&lt;&gt;x"},
      {"<!-- --!><link rel=preconnect href=//h>", ""},
      {"<![CDATA[<link rel=preconnect href=//h>]]>x", "]]&gt;x"},
      {"<?xml <link rel=preconnect href=//h>?>x", "?&gt;x"},
      {"<li\x0cnk><p\x0c"
       "class=a>",
       "<li><p class=\"a\">"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.html);
    CHECK(SafeHtml(row.html) == row.safe);
  }
}

TEST_CASE("it takes time in the length of the text, whatever it holds") {
  for (const std::string_view piece : {"<", "<!--", "<style>", "<p style='", "</", "<a b=c ", "<svg", "&"}) {
    std::string html;
    for (int i = 0; i < 20'000; ++i) html += piece;
    CHECK(SafeHtml(html).size() <= html.size() * 6 + 100);
  }
}

}  // namespace assay
