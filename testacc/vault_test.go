package testacc

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// vault is a configuration with a secret in every place that takes one, in one module a kind, and
// what hew makes of it. All secrets begin alike, so that one look finds any of them: those that
// nobody may tell with kept, and those that the host is told to show, and hew not, with told.
type vault struct {
	*testing.T
	*stage
	proxy      *proxy
	dir, home  string // where hew works; where it has its home and its temporary files
	kept, told string
	places     map[string]string // by the secret that is there
	vars       map[string]string // the secrets that come from outside
	turn       int               // how often there were others
	files      map[string]bool   // that the test wrote, with secrets in them
	calls      strings.Builder   // of the modules
	others     map[string]string // secrets that begin otherwise, and what they are
	env        []string          // beside what every hew gets
}

func newVault(t *testing.T) *vault {
	stage := newStage(t)
	v := &vault{
		T: t, stage: stage, proxy: newProxy(t, stage.server), dir: t.TempDir(), home: t.TempDir(),
		kept: rand.Text()[:16], told: rand.Text()[:16],
		others: map[string]string{stage.server.RootToken: "the token that hew signs in with"},
	}
	v.fresh()
	return v
}

// fresh forgets what is planted, for other secrets in the same places; those that were written down
// come from outside then. The files of the configuration so far stay, with what is in them.
func (v *vault) fresh() {
	v.places, v.vars = map[string]string{}, map[string]string{}
	if v.files == nil { // those of earlier configurations stay
		v.files = map[string]bool{}
	}
	v.calls.Reset()
	v.turn++
}

// plant makes a secret that nobody may tell, as it stands within quotes: every other one is written
// down, and the rest come from a variable.
func (v *vault) plant(place string) string {
	secret := v.kept + rand.Text()
	v.places[secret] = place
	if (len(v.places)+v.turn)%2 == 0 {
		return secret
	}
	v.vars[place] = secret
	return fmt.Sprintf("${var.secrets[%q]}", place)
}

// mention makes a secret that an attribute is set to which is none for the host.
func (v *vault) mention(place string) string {
	v.vars[place] = v.told + rand.Text()
	return fmt.Sprintf("${var.secrets[%q]}", place)
}

// write writes a file of the configuration.
func (v *vault) write(name, text string) {
	file := filepath.Join(v.dir, name)
	require.NoError(v, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(v, os.WriteFile(file, []byte(text), 0o600))
	v.files[file] = true
}

// module writes one that takes the secrets, and calls it.
func (v *vault) module(name, text string) {
	const secrets = "variable \"secrets\" {\n  type      = map(string)\n  sensitive = true\n}\n"
	v.write(filepath.Join(name, "main.hcl"), secrets+text)
	fmt.Fprintf(&v.calls, "module %q {\n  source  = \"./%s\"\n  secrets = var.secrets\n}\n", name, name)
	v.write("main.hcl", secrets+v.calls.String())
}

// hew runs hew at its most talkative, with something to read, which must end with a code. What it
// says must be discreet.
func (v *vault) hew(code int, input string, args ...string) string {
	v.Helper()
	v.proxy.reset(nil)
	vars, err := json.Marshal(v.vars)
	require.NoError(v, err)
	cmd := exec.Command(filepath.Join(bin, "hew"), args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = v.dir, strings.NewReader(input), &stdout, &stderr
	cmd.Env = []string{
		"HEW_URL=" + v.proxy.URL, "HEW_TOKEN=" + v.server.RootToken, "HEW_LOG=debug", "HOME=" + v.home,
		"TMPDIR=" + v.home,
		"HEW_VAR_secrets=" + string(vars), "HEW_LEDGER_KEY=" + v.kept + "the key of the digests",
	}
	cmd.Env = append(cmd.Env, v.env...)
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		require.NoError(v, err)
	}
	name := "hew " + strings.Join(args, " ")
	require.Equal(v, code, cmd.ProcessState.ExitCode(), "%s\n%s\n%s", name, tail(stdout.String()),
		stderr.String()[:min(3000, stderr.Len())])
	require.True(v, args[0] != "plan" || code == 1 ||
		strings.Contains(stderr.String(), "level=DEBUG"), "%s is not at its most talkative", name)
	v.discreet(name+", standard output", stdout.String())
	v.discreet(name+", standard error", stderr.String())
	return stdout.String()
}

// still runs several hews before a host on which nothing moves meanwhile, so that it has to be
// asked but once.
func (v *vault) still(do func()) {
	v.Helper()
	v.proxy.recalls.Store(true)
	do()
	v.proxy.recalls.Store(false)
	v.proxy.recalled.Clear()
}

// discreet insists that a text has no secret in it.
func (v *vault) discreet(what, text string) {
	v.Helper()
	v.keeps(what, text)
	v.lacks(what, text, v.told, "a sensitive variable")
}

// keeps insists that a text has nothing of what nobody may tell.
func (v *vault) keeps(what, text string) {
	v.Helper()
	v.lacks(what, text, v.kept, "a secret")
	for secret, name := range v.others {
		v.lacks(what, text, secret, name)
	}
}

func (v *vault) lacks(what, text, secret, name string) {
	v.Helper()
	if forms := servertest.Found(text, secret); len(forms) > 0 {
		at := max(strings.Index(text, secret), 0)
		v.Errorf("%s has %s (%v):\n…%s…", what, name, forms, text[max(at-300, 0):min(at+100, len(text))])
	}
}

// left insists that no file that hew has left has a secret in it, or the plain hash of one, and no
// table of the host but what it is told to show.
func (v *vault) left() {
	v.Helper()
	for _, dir := range []string{v.dir, v.home} {
		require.NoError(v, filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || v.files[file] {
				return err
			}
			text, err := os.ReadFile(file)
			v.discreet(file, string(text))
			for _, secret := range slices.Collect(maps.Keys(v.places)) {
				sum := sha256.Sum256([]byte(secret))
				for _, form := range []string{fmt.Sprintf("%x", sum), base64.RawStdEncoding.EncodeToString(sum[:]),
					base64.RawURLEncoding.EncodeToString(sum[:])} {
					require.NotContains(v, string(text), form, "%s has a hash of what is in %s", file, v.places[secret])
				}
			}
			return err
		}))
	}
	v.keeps("the database", v.server.Dump(v))
}
