package session

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLedgerTokens: what the environment signs in with goes to no host that only the ledger block
// names, of whatever address or database.
func TestLedgerTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ledger string // the block
		env    map[string]string
		says   string
	}{
		"a password": {
			ledger: `"http" { address = "https://evil.example.com/state" }`,
			env:    map[string]string{"HEW_URL": "https://git.example.com", "TF_HTTP_PASSWORD": "s3cret"},
			says:   "hew does not send TF_HTTP_PASSWORD to https://evil.example.com, because only address",
		},
		"the token of the host": {
			ledger: `"http" {
				address      = "https://git.example.com/api/v4/state"
				lock_address = "https://evil.example.com/lock"
			}`,
			env:  map[string]string{"HEW_URL": "https://git.example.com", "HEW_TOKEN": "s3cret"},
			says: "hew does not send HEW_TOKEN to https://evil.example.com, because only lock_address",
		},
		"a block with all of its own": {
			ledger: `"http" {
				address  = "https://state.example.com/state"
				password = "own"
			}`,
			env: map[string]string{"HEW_URL": "https://git.example.com", "TF_HTTP_PASSWORD": "s3cret"},
		},
		"an address of the host": {
			ledger: `"http" { address = "https://git.example.com/api/v4/state" }`,
			env:    map[string]string{"HEW_URL": "https://git.example.com", "TF_HTTP_PASSWORD": "s3cret"},
		},
		"an address of the environment's host": {
			ledger: `"http" { address = "https://state.example.com/two" }`,
			env: map[string]string{"TF_HTTP_ADDRESS": "https://state.example.com/one", "TF_HTTP_PASSWORD": "s3cret",
				"HEW_URL": "https://git.example.com"},
		},
		"a database": {
			ledger: `"postgres" { url = "postgres://hew@evil.example.com/hew" }`,
			env:    map[string]string{"PGHOST": "db.example.com", "PGPASSWORD": "s3cret"},
			says:   "hew does not send PGPASSWORD to evil.example.com",
		},
		"one of several hosts of a database": {
			ledger: `"postgres" { url = "postgres://hew@db.example.com,evil.example.com/hew" }`,
			env:    map[string]string{"PGHOST": "db.example.com", "PGPASSWORD": "s3cret"},
			says:   "evil.example.com",
		},
		"the database of the environment": {
			ledger: `"postgres" { url = "postgres://hew@db.example.com/other" }`,
			env:    map[string]string{"HEW_LEDGER_URL": "postgres://db.example.com/hew", "PGPASSWORD": "s3cret"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, "hew {\n  ledger "+c.ledger+"\n}\n")
			e.Environ = c.env
			backend, found := e.LoadBackend(t.Context(), Options{})
			if c.says == "" {
				require.False(t, found.HasErrors(), "%s", found.Diagnostics)
				require.NotNil(t, backend)
				return
			}
			require.ErrorContains(t, found.Diagnostics, c.says)
			require.NotContains(t, found.Diagnostics.Error(), "s3cret")
		})
	}
}
