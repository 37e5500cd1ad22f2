package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/report/reporttest"
)

// managed is a directory with a configuration whose ledger knows five objects.
func managed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(
		filepath.Join(dir, "main.hcl"), []byte("resource \"group\" \"acme\" {\n  path = \"acme\"\n}\n"), 0o644,
	))
	b := ledger.File(filepath.Join(dir, ".hew", "ledger.json"), "")
	_, digest, err := ledger.Open(t.Context(), b, "https://git.example.com")
	require.NoError(t, err)
	acme := reporttest.At(reporttest.GroupKind, "acme", "", "")
	entry := func(a addr.Instance, e ledger.Entry) ledger.Delta { return ledger.Delta{Addr: a, Entry: &e} }
	require.NoError(t, b.Append(t.Context(),
		entry(acme, ledger.Entry{Kind: "group", Key: "acme", ID: "7", Created: true, Protected: true,
			Owned: map[string]ledger.Digest{"path": digest.Plain("acme")}}),
		entry(reporttest.At(reporttest.MemberKind, "acme", "", "bob"),
			ledger.Entry{
				Kind: "group_member", Collection: "groups/7/members", ID: "2", DependsOn: []addr.Instance{acme},
			}),
		entry(reporttest.At(reporttest.MemberKind, "acme", "", "eve"),
			ledger.Entry{
				Kind: "group_member", Collection: "groups/7/members", ID: "3", DependsOn: []addr.Instance{acme},
			}),
		entry(reporttest.At(reporttest.HookKind, "ci", "acme/api", ""),
			ledger.Entry{Kind: "project_hook", Collection: "projects/4/hooks", Key: "https://ci.example.com", ID: "71",
				ReplacedFor: acme,
				Owned: map[string]ledger.Digest{
					"url": digest.Plain("x"), "token": digest.Secret(reporttest.Leak),
				}}),
		entry(reporttest.At(reporttest.HookKind, "ci", "acme/web", ""),
			ledger.Entry{Kind: "project_hook", Pending: true, Created: true}),
	))
	require.NoError(t, b.Compact(t.Context()))
	return dir
}

func hew(t *testing.T, dir string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"-chdir", dir}, args...), nil, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestLedgerShows(t *testing.T) {
	t.Parallel()
	dir := managed(t)
	var files []txtar.File
	for _, args := range [][]string{
		{"ledger", "list"}, {"ledger", "show", "group.acme"}, {"ledger", "show", "project_hook.ci"},
		{"ledger", "show", "group_members.acme"},
		{"ledger", "list", "-json"}, {"__complete", "ledger", "show", "project_hook"},
		{"__complete", "ledger", "rm", "group.acme", "group"},
		{"__complete", "ledger", "mv", ""}, {"__complete", "ledger", "mv", "group.acme", ""},
		{"__complete", "plan", "-target", "project_hook"},
	} {
		code, out, errs := hew(t, dir, args...)
		require.Zero(t, code, errs)
		require.NotContains(t, out, reporttest.Leak)
		files = append(files, txtar.File{Name: "hew " + strings.Join(args, " "), Data: []byte(out)})
	}
	reporttest.Wanted(t, "ledger", files...)
}

// TestLedgerForgets: what each address takes out of the ledger, and what is
// left.
func TestLedgerForgets(t *testing.T) {
	t.Parallel()
	const all = 5
	for _, c := range []struct {
		args string
		left int
		says string // of an error
	}{
		{args: "group.acme", left: 4},
		{args: `group_members.acme["bob"]`, left: 4},
		{args: `group_members.acme#"bob"`, left: 4},
		{args: "group_members.acme", left: 3},
		{args: "project_hook.ci", left: 3},
		{args: `project_hook.ci["acme/web"] project_hook.ci["acme/api"]`, left: 3},
		{args: `project_hook.ci project_hook.ci["acme/api"]`, left: 3},
		{args: "group.acm", left: all, says: "Did you mean group.acme?"},
		{args: "group.acme group.other", left: all, says: "the ledger has no group.other"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			dir := managed(t)
			code, out, errs := hew(t, dir, append([]string{"ledger", "rm"}, strings.Fields(c.args)...)...)
			require.Equal(t, c.says != "", code == 1, errs)
			require.Contains(t, errs, c.says)
			require.Equal(t, all-c.left, strings.Count(out, "removed "))
			_, out, _ = hew(t, dir, "ledger", "list")
			require.Equal(t, c.left, strings.Count(out, "\n"))
		})
	}
}

// TestLedgerMoves: who has which address afterwards, and that nothing moves
// where something cannot.
func TestLedgerMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		has      string // an address, afterwards
		says     string // of an error
	}{
		{from: "group.acme", to: "group.example", has: "group.example"},
		{from: "group.acme", to: `group.example["a"]`, has: `group.example["a"]`},
		{from: "group.acme", to: "module.base.group.acme", has: "module.base.group.acme"},
		{from: "group_members.acme", to: "group_members.all", has: `group_members.all["eve"]`},
		{from: `project_hook.ci["acme/api"]`, to: "project_hook.api", has: "project_hook.api"},
		{from: "project_hook.ci", to: "project_hook.all", has: `project_hook.all["acme/web"]`},
		{from: "group.acm", to: "group.example", says: "the ledger has no group.acm. Did you mean group.acme?"},
		{from: "module.web", to: "module.site", says: "the ledger has no module.web"},
		{from: "group.acme", to: "project.acme", says: "they have different kinds"},
		{from: "group.acme", to: "module.base", says: "a module moves to a module"},
		{from: `project_hook.ci["acme/api"]`, to: `project_hook.ci["acme/web"]`,
			says: `project_hook.ci["acme/web"] is another object in the ledger`},
		{from: "project_hook.ci", to: "project_hook.api[0]", says: "the ledger has no project_hook.ci"},
		{from: "acme", to: "group.acme", says: "is not an address"},
		{from: "group.acme", to: "acme", says: "is not an address"},
	} {
		t.Run(c.from+" "+c.to, func(t *testing.T) {
			t.Parallel()
			dir := managed(t)
			_, before, _ := hew(t, dir, "ledger", "list")
			code, out, errs := hew(t, dir, "ledger", "mv", c.from, c.to)
			_, after, _ := hew(t, dir, "ledger", "list")
			if c.says != "" {
				require.Equal(t, 1, code)
				require.Contains(t, errs, c.says)
				require.Equal(t, before, after)
				return
			}
			require.Zero(t, code, errs)
			require.Contains(t, after, c.has+"\n")
			require.Contains(t, out, " to "+c.has+"\n")
			require.Equal(t, strings.Count(before, "\n"), strings.Count(after, "\n"))
		})
	}
}

// TestLedgerMovesModules: all that is in a module goes along, and what others
// need is found under its new name.
func TestLedgerMovesModules(t *testing.T) {
	t.Parallel()
	dir := managed(t)
	for _, args := range [][]string{{"group.acme", "module.web.group.acme"},
		{"group_members.acme", "module.web.group_members.acme"}, {"module.web", `module.sites["a"]`}} {
		code, _, errs := hew(t, dir, append([]string{"ledger", "mv"}, args...)...)
		require.Zero(t, code, errs)
	}
	_, out, _ := hew(t, dir, "ledger", "list")
	require.Equal(t, `project_hook.ci["acme/api"]
project_hook.ci["acme/web"]
module.sites["a"].group.acme
module.sites["a"].group_members.acme["bob"]
module.sites["a"].group_members.acme["eve"]
`, out)
	_, out, _ = hew(t, dir, "ledger", "show", `module.sites["a"].group_members.acme["bob"]`)
	require.Contains(t, out, `module.sites["a"].group.acme`)
	_, out, errs := hew(t, dir, "ledger", "rm", `module.sites`)
	require.Equal(t, 3, strings.Count(out, "removed "), errs)
}

// TestLedgerRebinds: a host that moved is told to its ledger, and a new key
// makes it forget what the old one digested.
func TestLedgerRebinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  []string
		code int
		says string
	}{
		{name: "moved", env: []string{"HEW_URL=https://moved.example.com/api/v4", "HEW_TOKEN=x"},
			says: "The ledger is bound to https://moved.example.com.\n"},
		{name: "new key", env: []string{"HEW_URL=https://git.example.com", "HEW_TOKEN=x",
			"HEW_LEDGER_KEY=0123456789abcdef0123456789abcdef"}, says: "sends 1 secret again"},
		{name: "no host", env: []string{"HEW_TOKEN=x"}, code: 1, says: "HEW_URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := managed(t)
			var out, errs bytes.Buffer
			code := run(
				t.Context(), []string{"ledger", "rebind", "-chdir", dir}, c.env, strings.NewReader(""), &out, &errs,
			)
			require.Equal(t, c.code, code, errs.String())
			require.Contains(t, out.String()+errs.String(), c.says)
		})
	}
}
