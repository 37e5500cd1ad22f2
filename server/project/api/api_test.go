package api_test

import (
	"slices"
	"testing"

	groupapi "hew/server/group/api"
	"hew/server/part"
	"hew/server/project/api"
	"hew/server/rest"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, nil) }

// The routes are those of projects, and the one of a group, which shows its projects.
func TestParameters(t *testing.T) { servertest.Parameters(t, api.Part) }

func TestStatements(t *testing.T) {
	servertest.Statements(t, func(host part.Host) part.Part {
		p := api.Part(host)
		shown := slices.DeleteFunc(groupapi.Part(host).Routes, func(r rest.Route) bool {
			return r.Method != "GET" || r.Path != "/groups/{id}"
		})
		p.Routes = append(p.Routes, shown...)
		return p
	})
}
