"""What a script on the vendor's Python SDK does: put.py plan|apply DESIRED.json"""

import json
import sys

from cloudflare import Cloudflare

PHASE = "http_request_firewall_custom"
SAID = ("ref", "description", "action", "expression", "enabled")

mode, path = sys.argv[1:]
client = Cloudflare()
with open(path) as file:
    desired = json.load(file)

for name, rules in desired.items():
    zone = next(iter(client.zones.list(name=name)))
    live = client.rulesets.phases.get(PHASE, zone_id=zone.id)
    if [[getattr(rule, key) for key in SAID] for rule in live.rules] == [
        [rule[key] for key in SAID] for rule in rules
    ]:
        continue
    print(name, "differs")
    if mode == "apply":
        client.rulesets.phases.update(PHASE, zone_id=zone.id, rules=rules)
