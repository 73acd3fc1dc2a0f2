resource "cloudflare_filter" "admin" {
  zone_id    = var.zone_id
  expression = "http.request.uri.path contains \"/admin\" and cf.threat_score gt 10"
}

resource "cloudflare_firewall_rule" "admin" {
  filter_id = cloudflare_filter.admin.id
  action    = "block"
}

resource "cloudflare_rate_limit" "login" {
  threshold = 10
}

data "cloudflare_waf_packages" "all" {
  zone_id = var.zone_id
}

resource "cloudflare_waf_override" "shop" {
  urls = ["shop.example/api/*"]
}

resource "cloudflare_zone_settings_override" "shop" {
  settings {
    brotli         = "on"
    security_level = "high"
    minify {
      css = "on"
    }
  }
}

resource "cloudflare_load_balancer_pool" "eu" {
  name               = "eu"
  notification_email = "ops@shop.example"
}

resource "cloudflare_ruleset" "config" {
  rules {
    action = "set_config"
    action_parameters {
      mirage = true
    }
  }
}
