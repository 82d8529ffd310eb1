"""One question from Python. Load something first: `gavel demo`."""

from gavel import ask

result = ask("Who founded Anthropic?", limits={"queries": 10})

print(result["answer"])
for path in result["paths"]:
    facts = [result["evidence"][key] for key in path]
    print("because", ", ".join(f"{fact['subject']['name']} {fact['relation']} {fact['object']['name']}" for fact in facts))
print(f"confidence {result['confidence']}, stopped because: {result['stop_reason']}, {result['spent']['queries']} queries")
