# Was cloudflare_filters_list once.
resource "cloudflare_ruleset" "waf" {
  phase = "http_request_firewall_managed"
  rules {
    action = "execute"
  }
}

resource "aws_wafv2_web_acl_rule" "x" {
  brotli         = "on"
  minify         = false
  security_level = "high"
}

resource "cloudflare_zero_trust_tunnel_cloudflared" "t" {
  name = "t"
}

resource "pagerduty_team" "ops" {
  notification_email = "ops@shop.example"
}
