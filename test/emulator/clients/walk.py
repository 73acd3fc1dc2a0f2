"""Walks the interface with Debian's python3-cloudflare, as anybody's script would, and tells what it saw as JSON."""

import json
import sys

import CloudFlare

BASE_URL, TOKEN, ZONE_NAME = sys.argv[1:4]
PHASE = 'http_request_firewall_custom'
RULE = {'action': 'block', 'expression': 'ip.src eq 192.0.2.1'}

cf = CloudFlare.CloudFlare(token=TOKEN, base_url=BASE_URL)
seen = {}


def refused(call, *args, **kwargs):
    """The code and the text of the service's refusal."""
    try:
        call(*args, **kwargs)
    except CloudFlare.exceptions.CloudFlareAPIError as error:
        return [int(error), str(error)]
    return 'was not refused'


def rulesets(zone):
    """Custom rulesets and rules by id, versions, the entry point by phase."""
    made = cf.zones.rulesets.post(
        zone, data={'name': 'Mine', 'kind': 'custom', 'phase': PHASE, 'rules': [dict(RULE, ref='first')]}
    )
    seen['made'] = [made['kind'], made['version'], [rule['ref'] for rule in made['rules']]]
    seen['listed'] = made['id'] in [ruleset['id'] for ruleset in cf.zones.rulesets.get(zone)]
    added = cf.zones.rulesets.rules.post(
        zone, made['id'], data=dict(RULE, ref='second', position={'before': ''})
    )
    seen['added'] = [rule['ref'] for rule in added['rules']]
    second = added['rules'][0]['id']
    edited = cf.zones.rulesets.rules.patch(zone, made['id'], second, data=dict(RULE, enabled=False))
    seen['edited'] = edited['rules'][0]['enabled']
    left = cf.zones.rulesets.rules.delete(zone, made['id'], second)
    seen['left'] = [rule['ref'] for rule in left['rules']]
    put = cf.zones.rulesets.put(zone, made['id'], data={'description': 'New', 'rules': []})
    seen['put'] = [put['description'], put['version']]
    versions = cf.zones.rulesets.versions.get(zone, made['id'])
    seen['versions'] = [version['version'] for version in versions]
    entry_point = cf.zones.rulesets.phases.entrypoint.put(zone, 'http_request_origin', data={'rules': []})
    seen['entry point'] = [entry_point['kind'], entry_point['phase'], entry_point['version']]
    again = cf.zones.rulesets.phases.entrypoint.get(zone, 'http_request_origin')
    seen['entry point again'] = again == entry_point
    seen['missing'] = refused(cf.zones.rulesets.phases.entrypoint.get, zone, 'http_request_sanitize')
    # The documented answer is 204 without a body, which this library takes for an error; the ruleset is gone.
    refused(cf.zones.rulesets.delete, zone, made['id'])
    seen['deleted'] = refused(cf.zones.rulesets.get, zone, made['id'])[0]
    seen['unknown field'] = refused(cf.zones.rulesets.put, zone, entry_point['id'], data={'rulez': []})


def firewall(zone):
    """Filters first, then rules that name them, deleted in reverse order; the one-call creation."""
    made = cf.zones.filters.post(zone, data=[{'expression': 'ip.src eq 192.0.2.7', 'description': 'Filter'}])
    filter_id = made[0]['id']
    seen['filter'] = cf.zones.filters.get(zone, filter_id)['expression']
    rules = cf.zones.firewall.rules.post(
        zone, data=[{'filter': {'id': filter_id}, 'action': 'block', 'description': 'Rule'}]
    )
    rule_id = rules[0]['id']
    seen['firewall rule'] = [rules[0]['action'], rules[0]['filter']['id'] == filter_id]
    changed = cf.zones.firewall.rules.put(
        zone, rule_id, data={'id': rule_id, 'action': 'challenge', 'filter': {'id': filter_id}}
    )
    seen['firewall rule changed'] = changed['action']
    seen['firewall rules listed'] = rule_id in [rule['id'] for rule in cf.zones.firewall.rules.get(zone)]
    cf.zones.firewall.rules.delete(zone, rule_id)
    seen['firewall rule gone'] = rule_id not in [rule['id'] for rule in cf.zones.firewall.rules.get(zone)]
    one_call = cf.zones.firewall.rules.post(
        zone, data=[{'filter': {'expression': 'ip.src eq 192.0.2.9'}, 'action': 'block'}]
    )
    seen['one call'] = one_call[0]['filter']['expression']


def old_waf(zone):
    """Packages, groups and rules of the old WAF."""
    packages = cf.zones.firewall.waf.packages.get(zone)
    seen['packages'] = sorted(package['detection_mode'] for package in packages)
    traditional = [package for package in packages if package['detection_mode'] == 'traditional'][0]['id']
    groups = cf.zones.firewall.waf.packages.groups.get(zone, traditional)
    group = groups[0]['id']
    seen['group off'] = cf.zones.firewall.waf.packages.groups.patch(
        zone, traditional, group, data={'mode': 'off'}
    )['mode']
    rules = cf.zones.firewall.waf.packages.rules.get(zone, traditional)
    seen['waf rules'] = len(rules) > 0


zone_id = cf.zones.get(params={'name': ZONE_NAME})[0]['id']
rulesets(zone_id)
firewall(zone_id)
old_waf(zone_id)
print(json.dumps(seen))
