package reconcile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/golden"
	"hew/reconcile/ledger"
	"hew/schema"
)

// TestStories runs testdata/*.txtar: a host (live.json), configurations, and a
// script in the comment. Each command's outcome goes to the section want.
//
//	config FILE            use this file as the configuration (config.hcl at first);
//	                       files in directories are there as well, for modules
//	plan | drift | destroy print the plan; strays is drift that lists them
//	apply                  plan, apply, print what was written
//	                       all with -target=ADDR -exclude=ADDR -replace=ADDR
//	reads                  print what the last plan read
//	edit LIST ID ATTR JSON change a live object behind hew's back
//	add LIST JSON          add one; drop LIST ID removes one
//	fail WRITE = MESSAGE   make one write fail; fail clears
//	interrupt WRITE        end the next apply at this write
//	state LIST STATE       make a list unreadable, or with KIND:ID a thing
//	meanwhile LIST JSON    add a live object between the next plan and its apply
//	account NAME ID        rename or register an account
//	softly                 from now on, deletions of groups and projects only mark them
//	forget                 lose the ledger
func TestStories(t *testing.T) {
	t.Parallel()
	golden.Cases(t, "testdata", func(t *testing.T, ar *txtar.Archive) []txtar.File {
		s := newStory(t, ar)
		s.script()
		return golden.WithFile(ar.Files, "want", s.out.String())
	})
}

// script does what the comment says.
func (s *story) script() {
	for line := range strings.Lines(string(s.ar.Comment)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.do(line)
		}
	}
}

func section(ar *txtar.Archive, name string) []byte {
	for _, f := range ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

type story struct {
	t       *testing.T
	ar      *txtar.Archive
	host    *host
	backend ledger.Backend
	config  string
	between func()
	out     bytes.Buffer
}

func newStory(t *testing.T, ar *txtar.Archive) *story {
	h, err := newHost(section(ar, "live.json"))
	require.NoError(t, err)
	return &story{t: t, ar: ar, host: h, backend: ledger.Memory(), config: "config.hcl"}
}

func (s *story) do(line string) {
	fmt.Fprintf(&s.out, "> %s\n", line)
	verb, rest, _ := strings.Cut(line, " ")
	args := strings.Fields(rest)
	switch verb {
	case "config":
		s.config = args[0]
	case "softly":
		s.host.softly = true
	case "forget":
		s.backend = ledger.Memory()
	case "noledger":
		s.backend = nil
	case "plan":
		s.run(s.options(reconcile.Normal, args), false)
	case "drift":
		s.run(s.options(reconcile.Drift, args), false)
	case "strays":
		s.run(reconcile.Options{Mode: reconcile.Drift, Undeclared: true}, false)
	case "destroy":
		s.run(s.options(reconcile.Destroy, args), true)
	case "apply":
		s.run(s.options(reconcile.Normal, args), true)
	case "reads":
		fmt.Fprintf(&s.out, "  read: %s\n", strings.Join(s.host.reads, ", "))
	case "edit":
		for _, it := range s.host.lists[args[0]] {
			if fmt.Sprint(it["id"]) == args[1] {
				it[args[2]] = s.json(strings.Join(args[3:], " "))
				return
			}
		}
		s.t.Fatalf("no object %s in %s", args[1], args[0])
	case "add":
		s.host.lists[args[0]] = append(s.host.lists[args[0]], s.json(strings.Join(args[1:], " ")).(map[string]any))
	case "account":
		for name, id := range s.host.users {
			if id == args[1] {
				delete(s.host.users, name)
			}
		}
		s.host.users[args[0]] = args[1]
	case "meanwhile":
		s.between = func() { s.do("add " + rest) }
	case "drop":
		s.host.lists[args[0]] = slices.DeleteFunc(s.host.lists[args[0]],
			func(it item) bool { return fmt.Sprint(it["id"]) == args[1] })
	case "rename":
		s.host.renamed = map[string]string{args[0]: args[1]}
	case "state":
		s.host.states[strings.Replace(args[0], ":", " ", 1)] = map[string]schema.State{"forbidden": schema.Forbidden,
			"unsupported": schema.Unsupported, "present": schema.Present, "gone": schema.OwnerAbsent}[args[1]]
	case "interrupt":
		s.host.last = rest
	case "fail":
		s.host.fail = map[string]string{}
		if what, msg, ok := strings.Cut(rest, " = "); ok {
			s.host.fail[what] = msg
		}
	default:
		s.t.Fatalf("unknown command %q", verb)
	}
}

func (s *story) json(text string) any {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(s.t, d.Decode(&v))
	return v
}

func (s *story) options(mode reconcile.Mode, args []string) reconcile.Options {
	o := reconcile.Options{Mode: mode}
	lists := map[string]*[]addr.Instance{"-target": &o.Target, "-exclude": &o.Exclude, "-replace": &o.Replace}
	for _, arg := range args {
		flag, text, _ := strings.Cut(arg, "=")
		a, err := addr.Parse(text)
		require.NoError(s.t, err)
		*lists[flag] = append(*lists[flag], a)
	}
	return o
}

// fsOf are the files of a story, one of them being the configuration.
func fsOf(ar *txtar.Archive, name string) fstest.MapFS {
	fsys := fstest.MapFS{"config.hcl": {Data: section(ar, name)}}
	for _, f := range ar.Files {
		if strings.Contains(f.Name, "/") {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

func (s *story) run(opts reconcile.Options, apply bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.host.interrupt = cancel
	cfg, diags := config.Load(s.t.Context(), fsOf(s.ar, s.config), ".", s.host.kinds, config.Vars{})
	if diags.HasErrors() {
		s.diags(diags)
		return
	}
	s.host.log, s.host.reads = nil, nil
	eng := &reconcile.Engine{
		Provider: s.host, Backend: s.backend, Host: "https://host.test", Width: 1, Lock: apply, Who: "story",
	}
	if apply {
		eng.Writer = s.host
	}
	run, diags := eng.Plan(ctx, cfg, opts)
	s.diags(diags)
	if run == nil {
		return
	}
	defer func() { require.NoError(s.t, run.Close()) }()
	s.plan(run.Plan)
	require.Empty(s.t, s.host.log, "a plan wrote")
	slices.Sort(s.host.reads)
	require.Equal(s.t, slices.Compact(slices.Clone(s.host.reads)), s.host.reads, "something was read twice")
	if !apply || !run.Plan.Applyable {
		return
	}
	if s.between != nil {
		s.between()
		s.between = nil
	}
	out, diags := run.Apply(ctx)
	s.diags(diags)
	for _, l := range s.host.log {
		fmt.Fprintf(&s.out, "  wrote: %s\n", l)
	}
	s.complete(run.Plan, out)
	for _, f := range out.Failed {
		made := map[bool]string{true: "made, "}[f.Made]
		fmt.Fprintf(&s.out, "  %sfailed: %s: %v\n", made, f.Change.Addr, f.Err)
	}
	for _, f := range out.Skipped {
		fmt.Fprintf(&s.out, "  skipped: %s: %v\n", f.Change.Addr, f.Err)
	}
	for _, n := range out.Notes {
		fmt.Fprintf(&s.out, "  note: %s\n", n)
	}
	for _, o := range out.Outputs {
		fmt.Fprintf(&s.out, "  output %s = %s\n", o.Name, schema.Encode(o.Value))
	}
	s.checks(out.Checks)
}
