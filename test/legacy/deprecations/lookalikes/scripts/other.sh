#!/bin/sh
# Another service's interface, beside that of cloudflare.
curl -s https://api.other.example/v1/zones/7/firewall/rules
curl -s https://api.other.example/organizations/7/members
curl -s https://api.cloudflare.com/client/v4/zones/$ZONE/firewall/rules_engine
curl -s https://api.cloudflare.com/client/v4/zones/$ZONE/dns_records?name.contains=shop
curl -s https://api.cloudflare.com/client/v4/accounts/$ACCOUNT/images/v2/direct_upload -X POST
