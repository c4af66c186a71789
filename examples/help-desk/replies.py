#!/usr/bin/env python3
"""Answers as two models and a grader might give them, for the recording beside the config. Prints nothing.

    python3 replies.py PORT     then, in another terminal:
    assay run promptfooconfig.yaml --replay none --base-url openai=http://127.0.0.1:PORT/v1 \
      --base-url anthropic=http://127.0.0.1:PORT --record promptfooconfig.replay.jsonl
    sed -i 's#"base_url":"[^"]*",##' promptfooconfig.replay.jsonl    # they are of the services' own addresses then
"""
import http.server
import json
import re
import sys

ANSWERS = {
    "Saturdays": ("We open at 9 on Saturdays.", "Good morning! On Saturdays our doors open at 9."),
    "city tyre": ("Between 4 and 5 bar, by your weight.", "For 37 mm, 4 to 5 bar is right; heavier riders take 5."),
    "helmet": ("No. A helmet that was worn outside cannot be sold again.",
               "I am afraid not: we cannot tell whether a worn helmet has had a fall."),
    "first service": ("After about 300 km, or after two months.",
                      "The first service is due after 300 km. May I ask when you bought the bicycle? Cables stretch "
                      "in the first weeks, spokes settle, and the bearings want a look, so please do not wait much "
                      "longer than that, whatever the weather and whichever way you ride to work."),
}


def answer(model, text):
    if "helpful" in text or "JSON" in text or "rubric" in text.lower():
        return verdict(text)
    number = 1 if "haiku" in model else 0
    said = next((both[number] for word, both in ANSWERS.items() if word in text), "I do not know.")
    return ("Hello! " + said) if "friendly" in text and number == 0 else said


def verdict(text):
    asks = "May I ask" in text
    reasons = "sold again" in text or "had a fall" in text
    passes = reasons if "reason for the rule" in text else not asks
    reason = "The answer is complete." if passes else "The answer asks the customer something."
    return json.dumps({"reason": reason, "pass": passes, "score": 1 if passes else 0.3})


class Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = json.dumps(body["messages"])
        said = answer(body["model"], text)
        usage = {"prompt_tokens": len(text) // 4, "completion_tokens": len(said) // 4}
        reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}],
                 "model": body["model"], "usage": usage}
        if re.search("/messages$", self.path):
            reply = {"content": [{"type": "text", "text": said}], "role": "assistant", "stop_reason": "end_turn",
                     "model": body["model"],
                     "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
