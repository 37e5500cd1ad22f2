package testacc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"hew/server/servertest"
)

// TestStories runs testdata/*.txtar, side by side on one server.
func TestStories(t *testing.T) {
	t.Parallel()
	shared := newStage(t)
	tell(t, "testdata/*.txtar", func(*testing.T) *stage { return shared })
}

// TestStoriesAlone runs testdata/alone/*.txtar, each on a server of its own: they change what holds
// for everybody on it.
func TestStoriesAlone(t *testing.T) {
	t.Parallel()
	tell(t, "testdata/alone/*.txtar", newStage)
}

// tell runs the stories of files, each on the stage that it is given.
func tell(t *testing.T, pattern string, on func(*testing.T) *stage) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			stage := on(t)
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &story{stage: stage, t: t, proxy: newProxy(t, stage.server), script: string(script)}
			testscript.RunT(inline{t}, testscript.Params{
				Files: []string{file}, Setup: s.setup, Cmds: s.commands(),
				UpdateScripts: *servertest.Update, RequireExplicitExec: true, RequireUniqueNames: true,
			})
		})
	}
}

// story is one that is being told: hew, the way to the server, and what came of it so far.
type story struct {
	*stage
	t     *testing.T
	proxy *proxy
	dir   string       // where it works
	said  bytes.Buffer // all that hew has printed

	script    string
	variables []string // the names of those of the environment
}

func (s *story) commands() map[string]func(*testscript.TestScript, bool, []string) {
	commands := map[string]func(*testscript.TestScript, bool, []string){}
	for name, do := range map[string]func(*testscript.TestScript, []string){
		"persona": s.persona, "as": s.as, "api": s.api, "answers": s.answers, "drain": s.drain, "database": s.database,
		"hew": s.hew, "exits": s.exits, "pulled": s.pulled, "kill9": s.kill9, "nosecret": s.nosecret,
		"fault": s.fault, "mend": s.mend, "held": s.held, "release": s.release, "requests": s.requests,
	} {
		commands[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg {
				ts.Fatalf("! %s says too little: exits CODE hew ..., or answers STATUS api ...", name)
			}
			do(ts, args)
		}
	}
	return commands
}

// database makes an empty database, which HEW_LEDGER_URL then names.
func (s *story) database(ts *testscript.TestScript, _ []string) {
	ts.Setenv("HEW_LEDGER_URL", servertest.URL(s.t))
}

// setup gives the script its environment: nothing of the caller's, and the way to the server.
func (s *story) setup(env *testscript.Env) error {
	s.dir = env.WorkDir
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
	env.Setenv("HEW_URL", s.proxy.URL)
	env.Setenv("HEW_TOKEN", s.server.RootToken)
	examples, err := filepath.Abs("../examples")
	if err != nil {
		return err
	}
	env.Setenv("EXAMPLES", examples)
	env.Setenv("HEW_URL_PORT", s.proxy.URL[strings.LastIndex(s.proxy.URL, ":")+1:])
	env.Setenv("soon", time.Now().AddDate(0, 1, 0).Format(time.DateOnly))
	env.Setenv("root", "1")
	env.Setenv("root_token", s.server.RootToken)
	s.variables = append(namesSet(env.Vars, s.script), "HEW_LEDGER_URL")
	return nil
}

// persona makes people known to the script.
func (s *story) persona(ts *testscript.TestScript, names []string) {
	for _, who := range s.introduce(s.t, names...) {
		ts.Setenv(who.Username, fmt.Sprint(who.ID))
		ts.Setenv(who.Username+"_token", who.Token)
	}
}

// as signs hew in as somebody else.
func (s *story) as(ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("as PERSONA")
	}
	ts.Setenv("HEW_TOKEN", s.token(ts, args[0]))
}

func (s *story) token(ts *testscript.TestScript, persona string) string {
	token := ts.Getenv(persona + "_token")
	if token == "" {
		ts.Fatalf("who is %s? persona %s introduces people", persona, persona)
	}
	return token
}

func (s *story) drain(*testscript.TestScript, []string) { s.server.Drain(s.t) }

// inline runs a script in the test that is there, which has the story's name already.
type inline struct{ *testing.T }

func (t inline) Run(_ string, f func(testscript.T)) { f(t) }
func (t inline) Parallel()                          {}
func (t inline) Verbose() bool                      { return testing.Verbose() }
