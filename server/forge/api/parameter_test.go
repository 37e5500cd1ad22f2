package api_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"hew/server/forge/api"
	"hew/server/forge/forgetest"
	"hew/server/part"
	"hew/server/servertest"
)

// The public host has any repository, each time by another name, for any token.
func TestParameters(t *testing.T) {
	var n atomic.Int64
	public := forgetest.Public(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		name := fmt.Sprint("site-", n.Add(1))
		forgetest.WriteJSON(w, map[string]any{
			"id": 1, "name": name, "full_name": "acme/" + name, "clone_url": "https://github.com/acme/site.git",
		})
	}), "api.github.com")
	servertest.Parameters(t, func(h part.Host) part.Part {
		h.Out = public
		return api.Part(h)
	})
}
