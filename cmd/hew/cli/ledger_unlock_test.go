package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/session"
)

// TestUnlock frees locks whose holders say more or less of themselves, and none
// without being told to.
func TestUnlock(t *testing.T) {
	t.Parallel()
	const mine = `{"ID":"Z","Who":"me","Info":"process 7 on here","Created":"2026-11-28T01:02:03Z"}`
	const timeless = `{"ID":"Z","Operation":"apply","Who":"me","Created":""}`
	for _, c := range []struct {
		name, lock, args, input string // input "": no terminal
		code                    int
		says                    string
		freed                   string // what the server is told
	}{
		{"a whole one", mine, "-force", "", 0, "Released the lock Z of me (process 7 on here) since ", `{"ID":"Z",`},
		{"without a time", timeless, "-force", "", 0, "Released the lock Z of me.", `{"ID":"Z",`},
		{"without a time, by its ID", timeless, "-force Z", "", 0, "Released the lock Z of me.", `{"ID":"Z",`},
		{"without a time, by another ID", timeless, "-force nope", "", 1, "the ledger has no lock nope: the ledger",
			""},
		{"without a time, unasked", timeless, "", "", 1,
			"is locked by me. Wait for that run to end, or let hew wait for it with -lock-timeout=5m. The lock " +
				"stays if that " +
				"process is killed. Once you are sure that it is not running, run hew ledger unlock Z", ""},
		{"without a time, asked", timeless, "", "yes", 0,
			"locked by me. Has that run ended, and do you want to release its lock Z?", `{"ID":"Z",`},
		{"asked in vain", timeless, "", "no", 1, "Nothing was changed", ""},
		{"a number for an ID", `{"ID":7,"Who":"me"}`, "-force", "", 0, "Released the lock of me.", `{"Operation":"",`},
		{"no JSON", "in use", "-force", "", 0, "Released the lock of another run.", `{"Operation":"",`},
		{"no JSON, by an ID", "in use", "-force Z", "", 0, "Released the lock Z of another run.", `{"ID":"Z",`},
		{"no JSON, unasked", "in use", "", "", 1, "is locked by another run. Wait", ""},
		{"no JSON, asked", "in use", "", "yes", 0,
			"locked by another run. Has that run ended, and do you want to release its lock?", `{"Operation":"",`},
		{"nobody", "", "", "", 0, "The ledger is not locked.", `{"ID":"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			freed := ""
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == "UNLOCK":
					body, _ := io.ReadAll(r.Body) // compared below
					freed = string(body)
				case c.lock != "":
					w.WriteHeader(http.StatusLocked)
					fmt.Fprint(w, c.lock)
				}
			}))
			defer server.Close()
			dir := t.TempDir()
			text := fmt.Sprintf(
				"hew {\n  ledger \"http\" {\n    address      = %q\n    lock_address = %[1]q\n  }\n}\n", server.URL,
			)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(text), 0o600))
			var out bytes.Buffer
			a := &app{Env: session.Env{Version: "dev", Offline: offline, Environ: map[string]string{}},
				in: strings.NewReader(c.input + "\n"), out: &out, err: &out,
				tty: func(any) bool { return c.input != "" }}
			code := a.run(t.Context(), append([]string{"-chdir", dir, "ledger", "unlock"}, strings.Fields(c.args)...))
			require.Equal(t, c.code, code, out.String())
			require.Contains(t, strings.Join(strings.Fields(out.String()), " "), c.says)
			require.True(t, strings.HasPrefix(freed, c.freed) && (freed == "") == (c.freed == ""), freed)
		})
	}
}
