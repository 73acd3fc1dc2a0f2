#!/bin/sh
BASE=https://api.cloudflare.com/client/v4
curl -s -H "Authorization: Bearer $TOKEN" "$BASE/zones/$ZONE/firewall/waf/overrides"
curl -s -X DELETE "$BASE/zones/$ZONE/firewall/waf/overrides/$ID"
curl -s "https://api.cloudflare.com/client/v4/zones/${ZONE}/filters" \
  -H "Authorization: Bearer $TOKEN" \
  --data '[{"expression": "ssl"}]'
curl -s --request PATCH \
  --url "$BASE/zones/$ZONE/settings/mobile_redirect" \
  --data '{"value": "off"}'
curl -s "$BASE/accounts/$ACCOUNT/tunnels"
curl -s "$BASE/zones/$ZONE/settings"
