package edge

import "net/http"

const base = "https://api.cloudflare.com/client/v4"

func invites(org string) (*http.Request, error) {
	return http.NewRequest("GET", base+"/organizations/"+org+"/invites", nil)
}

func namespaces(account string) (*http.Request, error) {
	return http.NewRequest(http.MethodPost, base+"/accounts/"+account+"/workers/namespaces", nil)
}
