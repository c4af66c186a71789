"""A model that reads: a service on the loopback that calls the tools it is offered once, and answers with the sentences
of what it was shown that have most words of the question. It knows nothing else: what it says is what it was told."""
import json
import re

from mock_server import MockServer

FENCE = re.compile(r"\[data (\w+) from [^\n]*\]\n(.*?)\n\[end of data \1\]", re.DOTALL)
COMMON = set("a an and are at be before by can does for from how in is it its keep much of on than the then to until "
             "was what when where which who".split())


def words(text):
    return {word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.lower())} - COMMON


def question(messages):
    asked = messages[1]["content"]
    return re.split(r"\s{2,}|\n| Gathered for", re.split(r"Question:\s*", asked)[-1])[0].strip()


def passages(messages):
    """Texts that the conversation shows, those of tools with their names of sources taken apart."""
    for message in messages[1:]:
        for _, text in FENCE.findall(message["content"] or ""):
            if message["role"] != "tool":
                yield text
                continue
            try:
                yield from leaves(json.loads(text))
            except ValueError:
                continue


def leaves(value):
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("note", "title", "url", "relevance", "error"):
                yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, str):
        yield value


def best(messages, count=2):
    """The sentences nearest to the question, the nearer first; equal ones as they came."""
    wanted = words(question(messages))
    found = {}
    for text in passages(messages):
        for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
            sentence = re.sub(r"^[^\s:]+:\d+:", "", sentence).strip(" -#")
            shared = len(wanted & words(sentence))
            if shared and sentence.endswith((".", "!")):
                found.setdefault(sentence, shared)
    ranked = sorted(found, key=found.get, reverse=True)[:count]
    return [sentence for sentence in ranked if found[sentence] * 2 > found[ranked[0]]]


def call(ident, name, **arguments):
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def calls(messages, offered):
    """What it looks up first: whatever its tools reach."""
    asked = question(messages)
    rare = sorted(words(asked), key=len, reverse=True)
    if "get_relevant_content" in offered:
        made = [call("call_1", "get_relevant_content", urls=[], query=asked, max_chunks=3)]
        return made + [call("call_2", "save_finding", finding=sentence, source_title="documents")
                       for sentence in best(messages, 1)]
    if "grep_search" in offered and "http" not in messages[1]["content"]:
        return [call("call_1", "list_dir"), call("call_2", "grep_search", pattern="(?i)" + "|".join(rare[:4]))]
    if "web_search" in offered:
        return [call("call_1", "web_search", q=asked, count=3)]
    return []


def reply(path, body):
    messages = body["messages"]
    offered = {tool["function"]["name"] for tool in body.get("tools", [])}
    made = [] if any(message["role"] == "tool" for message in messages) else calls(messages, offered)
    sentences = best(messages)
    text = "# Answer\n\n" + " ".join(sentences or ["The sources do not say."])
    message = {"role": "assistant", "content": None if made else text}
    if made:
        message["tool_calls"] = made
    used = sum(len(message["content"] or "") for message in messages) // 4
    came = len(json.dumps(message)) // 4
    return {"id": "reading", "object": "chat.completion", "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}],
            "usage": {"prompt_tokens": used, "completion_tokens": came, "total_tokens": used + came}}


def server():
    return MockServer(reply=reply)
