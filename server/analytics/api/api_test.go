package api_test

import (
	"context"
	"testing"

	"hew/server/analytics/api"
	"hew/server/db"
	"hew/server/instance"
	"hew/server/part"
	"hew/server/servertest"
	"hew/server/tree"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, asking(newEngine(t)), nil) }

func TestParameters(t *testing.T) { servertest.Parameters(t, asking(newEngine(t))) }

func TestStatements(t *testing.T) { servertest.Statements(t, asking(newEngine(t))) }

// asking returns the part with an engine that is set up wherever there is a specimen.
func asking(e *engine) func(part.Host) part.Part {
	return func(host part.Host) part.Part {
		host.Out = e.guard()
		p := api.Part(host)
		specimen := p.Specimen
		p.Specimen = func(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
			root, err := tree.FindUser(ctx, h, 1)
			if err == nil {
				_, err = instance.ChangeSettings(ctx, h, map[string]any{
					"cube_api_base_url": "http://cube.example.com", "cube_api_key": engineKey,
				}, root)
			}
			if err != nil {
				return nil, err
			}
			return specimen(ctx, h, at, n)
		}
		return p
	}
}
