import requests

API = "https://api.cloudflare.com/client/v4"


def pause(zone, rule, body):
    requests.put(f"{API}/zones/{zone}/firewall/rules/{rule}", json=body)


def colos(zone):
    return requests.get("%s/zones/%s/analytics/colos" % (API, zone))


def upload(account):
    return requests.post(API + "/accounts/" + account + "/images/v1/direct_upload")


def locked(zone):
    records = requests.get(f"{API}/zones/{zone}/dns_records").json()
    return [record for record in records if record["locked"]]
