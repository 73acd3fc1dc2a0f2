// What a program on the vendor's Go SDK does: put plan|apply DESIRED.json
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	cloudflare "github.com/cloudflare/cloudflare-go/v6"
	"github.com/cloudflare/cloudflare-go/v6/option"
	"github.com/cloudflare/cloudflare-go/v6/rulesets"
	"github.com/cloudflare/cloudflare-go/v6/zones"
)

type rule struct {
	Ref         string `json:"ref"`
	Description string `json:"description"`
	Action      string `json:"action"`
	Expression  string `json:"expression"`
	Enabled     bool   `json:"enabled"`
}

const phase = rulesets.Phase("http_request_firewall_custom")

func main() {
	text, err := os.ReadFile(os.Args[2])
	check(err)
	var desired map[string][]rule
	check(json.Unmarshal(text, &desired))
	client := cloudflare.NewClient()
	ctx := context.Background()
	for name, wanted := range desired {
		found, err := client.Zones.List(ctx, zones.ZoneListParams{Name: cloudflare.F(name)})
		check(err)
		zone := found.Result[0].ID
		live, err := client.Rulesets.Phases.Get(ctx, phase, rulesets.PhaseGetParams{ZoneID: cloudflare.F(zone)})
		check(err)
		if same(live, wanted) {
			continue
		}
		fmt.Println(name, "differs")
		if os.Args[1] == "apply" {
			_, err := client.Rulesets.Phases.Update(ctx, phase, rulesets.PhaseUpdateParams{ZoneID: cloudflare.F(zone)},
				option.WithJSONSet("rules", wanted))
			check(err)
		}
	}
}

func same(live *rulesets.PhaseGetResponse, wanted []rule) bool {
	if len(live.Rules) != len(wanted) {
		return false
	}
	for index, now := range live.Rules {
		if (rule{now.Ref, now.Description, string(now.Action), now.Expression, now.Enabled}) != wanted[index] {
			return false
		}
	}
	return true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
