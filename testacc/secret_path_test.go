package testacc

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// The ways that secrets could leak from hew other than plans: remote ledgers and their
// credentials, commits, alerts of drift, and the files that it writes.

// elsewhere keeps the ledger in other places, which take secrets themselves, in vain at first.
func (v *vault) elsewhere() {
	v.Helper()
	v.hew(0, "", "ledger", "pull", "-o", "pulled.json")
	defer func() { require.NoError(v, os.Remove(filepath.Join(v.dir, "ledger.hcl"))) }()

	var keep struct{ ID int64 }
	v.server.Do(v, v.server.RootToken, "POST", "/projects", map[string]string{"path": "keep"}).Into(v, &keep)
	address := fmt.Sprintf("%s/api/v4/projects/%d/terraform/state/hew", v.proxy.URL, keep.ID)
	const http = "hew {\n  ledger \"http\" {\n    address = %q\n    username = \"bot\"\n    password = \"%s\"\n  }\n}\n"
	v.write("ledger.hcl", fmt.Sprintf(http, address, v.plant("ledger.password")))
	v.hew(1, "", "ledger", "list")
	v.hew(1, "", "ledger", "push", "pulled.json")
	v.write("ledger.hcl", fmt.Sprintf(http, strings.Replace(address, "://", "://bot:"+v.kept+"in-the-address@", 1), ""))
	v.hew(1, "", "plan")
	v.write("ledger.hcl", fmt.Sprintf(http, address, "${var.secrets[\"ledger.token\"]}"))
	v.vars["ledger.token"] = v.server.RootToken
	v.hew(0, "", "ledger", "push", "pulled.json")
	v.hew(0, "", "plan")

	const row = "hew {\n  ledger \"postgres\" {\n    url = var.secrets[\"ledger.url\"]\n  }\n}\n"
	v.write("ledger.hcl", row)
	v.vars["ledger.url"] = "postgres://me:" + v.kept + rand.Text() + "@127.0.0.1:1/hew"
	v.hew(1, "", "ledger", "list")
	v.hew(1, "", "plan")
	v.vars["ledger.url"] = servertest.URL(v) + " password=" + v.kept + rand.Text()
	v.hew(0, "", "ledger", "push", "pulled.json")
	v.hew(0, "", "plan")
	v.hew(0, "", "ledger", "pull")
}

// announced tells others of drift: by an alert to the server, which keeps it, and by an issue to
// one who is not there yet.
func (v *vault) announced() {
	v.Helper()
	var ops struct{ ID int64 }
	v.server.Do(v, v.server.RootToken, "POST", "/projects", map[string]string{"path": "ops"}).Into(v, &ops)
	var alerts struct {
		URL string
		Key string `json:"authorization_key"`
	}
	v.server.Do(v, v.server.RootToken, "POST", fmt.Sprintf("/projects/%d/alert_integrations", ops.ID),
		map[string]any{"name": "drift", "active": true}).Into(v, &alerts)
	require.NotEmpty(v, alerts.Key)
	v.others[alerts.Key] = "the key of an alert endpoint"
	issue := v.kept + rand.Text()
	v.env = []string{"HEW_ALERT_TOKEN=" + alerts.Key, "HEW_ISSUE_TOKEN=" + issue}
	v.hew(2, "", "drift", "-alert="+alerts.URL)
	var told []struct{ Title, Description string }
	v.server.Do(v, v.server.RootToken, "GET", fmt.Sprintf("/projects/%d/alerts", ops.ID), nil).Into(v, &told)
	require.Len(v, told, 1)
	v.discreet("the alert", told[0].Title+told[0].Description)

	v.proxy.arm(&fault{method: "GET", path: "/projects/*/issues", status: 200, body: "[]", left: -1},
		&fault{method: "POST", path: "/projects/*/issues", status: 201, body: `{"iid":1}`, left: -1})
	v.hew(2, "", "drift", "-issue=ops/ops")
	v.proxy.mend()
	sent := 0
	for _, r := range v.proxy.requests() {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/issues") {
			v.discreet("the issue", string(r.Body))
			sent++
		}
	}
	require.Equal(v, 1, sent)
	v.env = nil
}

// based takes a commit for what was applied last; git is kept where nobody looks.
func (v *vault) based() {
	v.Helper()
	for _, args := range [][]string{
		{"init", "-q", "--separate-git-dir", filepath.Join(v.TempDir(), "git")}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "all"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = v.dir
		out, err := cmd.CombinedOutput()
		require.NoError(v, err, "%s", out)
	}
	v.env = []string{"PATH=" + os.Getenv("PATH")}
	// What is made of values that are shown once is blocked without a ledger; the rest is told.
	require.Contains(v, v.hew(1, "", "plan", "-base=HEAD", "-ledger=none"), " drift.")
	require.Contains(v, v.hew(1, "", "drift", "-base=HEAD", "-ledger=none", "-json"), `"cause": "drift"`)
	v.env = nil
	require.NoError(v, os.Remove(filepath.Join(v.dir, ".git")))
}

// adopted writes what drifted into the files, which have as many secrets afterwards as they had
// before.
func (v *vault) adopted() {
	v.Helper()
	count := func() (n int) {
		for file := range v.files {
			text, err := os.ReadFile(file)
			if os.IsNotExist(err) {
				continue
			}
			require.NoError(v, err)
			n += strings.Count(string(text), v.kept) + strings.Count(string(text), v.told)
		}
		return n
	}
	const project = "/projects/life-of-project-base_namespace%2Ffirst-path"
	var live struct {
		Wiki string `json:"wiki_access_level"`
	}
	v.server.Do(v, v.server.RootToken, "GET", project, nil).Into(v, &live)
	other := map[string]string{"enabled": "private"}[live.Wiki]
	v.server.Do(v, v.server.RootToken, "PUT", project, map[string]string{"wiki_access_level": cmp.Or(other, "enabled")})
	before := count()
	require.NotZero(v, before)
	said := v.hew(2, "", "drift", "-adopt")
	require.Contains(v, said, "Adopted ")
	require.LessOrEqual(v, count(), before, said)
}
