import cloudflare

def rows(zone):
    return cloudflare.get(f"/zones/{zone}/dns_records", params={"zone_id": zone})
