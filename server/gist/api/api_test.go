package api_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"testing"

	"hew/server/db"
	"hew/server/gist"
	"hew/server/gist/api"
	"hew/server/outbound"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, nil) }

// The test finds no host, and asks for one by a single name of the route.
func TestParameters(t *testing.T) {
	servertest.Parameters(t, func(h part.Host) part.Part {
		h.Out = &outbound.Guard{Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return nil, errors.New("no such host")
		}}
		p := api.Part(h)
		p.Routes = slices.DeleteFunc(p.Routes, func(r rest.Route) bool {
			return r.Method == "POST" && r.Path == "/import/github/gists"
		})
		p.Specimen = func(ctx context.Context, st *db.Store, at part.Place, _ int) (part.Values, error) {
			if at.ID() != 0 {
				return nil, nil
			}
			return nil, gist.Begin(ctx, st, 1, "http://127.0.0.1:1/api/v3", "token") // of root
		}
		return p
	})
}

func TestStatements(t *testing.T) { servertest.Statements(t, api.Part) }
