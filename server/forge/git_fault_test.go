package forge_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/forge"
	"hew/server/forge/forgetest"
)

// progress has the import look as if it just made progress: its clock is hours ahead.
func (tr *trial) progress() {
	require.NoError(tr.t, tr.s.Store.Exec(tr.t.Context(),
		`update forge_imports set progressed_at = @now where project_id = @id`,
		pgx.NamedArgs{"now": tr.clock, "id": tr.p.ID}))
}

// faultyGit has the first requests for the repository fail: one with each of the faults.
func (tr *trial) faultyGit(faults ...forgetest.Fault) {
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if !strings.HasPrefix(r.URL.Path, "/acme/site.git/") || len(faults) == 0 {
			return nil
		}
		f := faults[0]
		faults = faults[1:]
		return &f
	}
}

// A host that limits git, or does not answer it for a moment, is asked again.
func TestFaultyGit(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	tr.progress()
	tr.faultyGit(
		forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "30"}},
		forgetest.Fault{Status: 429},
		forgetest.Fault{Status: 503},
		forgetest.Fault{Status: 200, Body: "001e# service=git-upload-pack\n", Header: map[string]string{
			"Content-Type": "application/x-git-upload-pack-advertisement",
		}},
	)
	require.Equal(t, 5, tr.finish(9))
	require.Empty(t, tr.failures())
	tr.checkWhole()
}

// Without the repository an import fails, whatever the timeout strategy.
func TestLostGit(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{Optimistic: true})
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if strings.HasPrefix(r.URL.Path, "/acme/site.git/") {
			return &forgetest.Fault{Status: 502}
		}
		return nil
	}
	tr.progress()
	require.NoError(t, tr.do.Attempt(t.Context(), tr.s.Store, tr.p.ID))
	require.Equal(t, "started", tr.status())
	tr.clock = tr.clock.Add(3 * time.Hour)
	tr.finish(1)
	require.Equal(t, "failed", tr.p.ImportStatus)
	require.Equal(t, "the stage repository has made no progress for 2h0m0s: 127.0.0.1 answers with status 502",
		*tr.p.ImportError)
}
