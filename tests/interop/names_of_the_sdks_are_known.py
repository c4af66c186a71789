#!/usr/bin/env python3
"""Every name of a model that the services' own clients list in their types has facts and a price in the table, but for
variants that speak or draw, and those that are given here with the reason why they have none."""
import importlib
import inspect
import json
import pkgutil
import re
import sys
import typing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("sdks")

# Made for sound, pictures or moderation: nobody asks them for an answer in words. Variants that say so in their names
# have neither the facts nor the price of the model whose name they begin with.
OTHERS = ("-tts", "-image", "-live", "-audio", "-realtime", "-transcribe", "-translate", "whisper", "moderation",
          "dall-e", "sora-", "lyria-", "veo-", "imagen-", "orpheus", "prompt-guard", "nano-banana", "-omni-",
          "-robotics-", "-embed", "guard", "bge-", "flux", "kokoro", "-rank-", "uae-", "m2-bert")
# They go on with a text, and answer no messages.
CONTINUE = ("-instruct$", "babbage-002", "davinci-002", "-hf$", "-v0.1$")
# Of whom the public lists say no price, or no two of them the same; the retired have left the lists.
UNPRICED = {
    "retired": """
        groq:compound-beta groq:compound-beta-mini
        groq:gemma2-9b-it groq:meta-llama/llama-4-maverick-17b-128e-instruct groq:moonshotai/kimi-k2-instruct
        groq:meta-llama/llama-4-scout-17b-16e-instruct groq:qwen/qwen3-32b openai:chatgpt-4o-latest
        openai:codex-mini-latest openai:gpt-3.5-turbo-0301 openai:gpt-3.5-turbo-0613 openai:gpt-4-0125-preview
        openai:gpt-4-0314 openai:gpt-4-32k openai:gpt-4-32k-0314 openai:gpt-4-32k-0613 openai:gpt-4-vision-preview
        openai:gpt-4.5-preview openai:gpt-4.5-preview-2025-02-27 openai:o1-mini openai:o1-mini-2024-09-12
        openai:o1-preview openai:o1-preview-2024-09-12""",
    "in no list yet": """
        anthropic:claude-fable-5-2 anthropic:claude-mythos-5-2 anthropic:claude-mythos-preview google:gemini-4-carbon
        google:gemini-4-hydrogen google:gemini-4-neon groq:qwen/qwen3.6-27b openai:gpt-5.1-mini openai:gpt-6-cyber
        openai:gpt-6.2-astra openai:gpt-6.2-astra-law openai:gpt-6.2-sol
        openai:gpt-daybreak-blue-latest openai:gpt-daybreak-red-latest""",
}


def literals(annotation, seen=None):
    """All texts of Literals in a type, however they are nested."""
    seen = seen if seen is not None else set()
    if id(annotation) in seen:
        return
    seen.add(id(annotation))
    if typing.get_origin(annotation) is typing.Literal:
        yield from (word for word in typing.get_args(annotation) if isinstance(word, str))
        return
    value = getattr(annotation, "__value__", None)   # type X = …
    if value is not None:
        yield from literals(value, seen)
    for part in typing.get_args(annotation):
        yield from literals(part, seen)


def modules(package):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            yield importlib.import_module(found.name)
        except Exception:  # noqa: BLE001  extras that are not installed
            continue


def hints(made):
    try:
        return typing.get_type_hints(made)
    except Exception:  # noqa: BLE001  names that only a type checker knows
        return {}


def named(package, wanted):
    """The names of models in the aliases of a package that are called so, and in members `model` of its types."""
    names = set()
    for module in modules(package):
        for alias in wanted:
            names |= set(literals(getattr(module, alias, None)))
        for made in list(vars(module).values()):
            if inspect.isclass(made) and made.__module__ == module.__name__:
                names |= set(literals(hints(made).get("model")))
    return names


def listed():
    """What the clients list, by provider."""
    import anthropic.types
    import cohere
    import groq.types
    import mistralai
    import openai.types
    import together.types
    from google import genai
    packages = {"openai": openai.types, "anthropic": anthropic.types, "google": genai, "groq": groq.types,
                "mistral": mistralai, "together": together.types, "cohere": cohere}
    aliases = ("ChatModel", "AllModels", "ResponsesModel", "EmbeddingModel", "Model", "ModelParam")
    names = {provider: named(package, aliases) for provider, package in packages.items()}
    return {provider: {name for name in found if re.search(r"[a-z].*[-\d]", name)} for provider, found in names.items()}


def fits(pattern, name):
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def main():
    names = listed()
    e2e.check(len(names["openai"]) > 50 and len(names["anthropic"]) > 10 and len(names["google"]) > 10, f"{names}")
    with e2e.scratch() as folder:
        rows = json.loads(e2e.assay("list", "models", "--json", cwd=folder).stdout)
    unknown, unpriced, told = [], [], " ".join(UNPRICED.values()).split()
    for provider, found in names.items():
        for name in sorted(found):
            if any(word in f"-{name}".lower() for word in OTHERS) or any(re.search(end, name) for end in CONTINUE):
                continue
            whole = f"{provider}:{name}"
            fitting = [row for row in rows if fits(row["name"], whole)]
            # The narrowest row has the price.
            best = max(fitting, key=lambda row: 2 * len(row["name"]) - 3 * row["name"].endswith("*"), default=None)
            if best is None or best["name"] == "anthropic:claude-*":
                unknown.append(whole)
            elif (best["price"] is None) != (whole in told):
                unpriced.append(whole)
    e2e.check(not unknown and not unpriced,
              f"without facts: {unknown}\nwithout a price, or priced though this test says not: {unpriced}")


main()
