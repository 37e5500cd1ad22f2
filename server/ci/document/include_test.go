package document_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

// repository is what include tests include.
var repository = files{
	"a.yml":                      "a: {script: [a]}",
	"dir/b.yaml":                 "b: {script: [b]}",
	"dir/deep/c.yml":             "c: {script: [c]}",
	"empty.yml":                  " \n",
	"comments.yml":               "# nothing\n",
	"broken.yml":                 "a: *x\n",
	"readme.md":                  "text",
	"inputs.yml":                 "spec: {inputs: {e: }}\n---\n$[[ inputs.e ]]: {script: [x]}",
	"nested.yml":                 "include: [a.yml, /dir/b.yaml]\nn: 1",
	"missing.yml":                "n: 1\n\ninclude:\n  - local: none.yml",
	"only.yml":                   "inputs: {e: {default: shared}, f: {default: f}}",
	"other/p@HEAD:x.yml":         "include: y.yml\nx: 1",
	"other/p@HEAD:y.yml":         "y: 1",
	"other/p@v1:x.yml":           "x: v1",
	"other/p@HEAD:empty.yml":     "",
	"https://h.test/r.yml":       "r: 1",
	"https://h.test/local.yml":   "include: a.yml",
	"template:Go.gitlab-ci.yml":  "t: 1",
	"component:other/p/comp@1.0": "spec: {inputs: {e: {default: z}}, component: [name, version]}\n---\nc: $[[ inputs.e ]] $[[ component.name ]] $[[ component.version ]]",
	"component:other/p/incl@1.0": "spec: {include: [x.yml]}\n---\nc: 1",
	"job:child.yml":              "child: 1",
}

func TestInclude(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ include, want string }{
		{"a.yml", `{"a":{"script":["a"]}}`},
		{"/a.yml", `{"a":{"script":["a"]}}`},
		{"[]", `{}`},
		{"~", `{}`},
		{"[a.yml, {local: dir/b.yaml}]", `{"a":{"script":["a"]},"b":{"script":["b"]}}`},
		{"nested.yml", `{"a":{"script":["a"]},"b":{"script":["b"]},"n":1}`},
		{"'dir/*.yaml'", `{"b":{"script":["b"]}}`},
		{"'dir/**.y*ml'", `{"b":{"script":["b"]},"c":{"script":["c"]}}`},
		{"'dir/**/*.yml'", `{"c":{"script":["c"]}}`},
		{"'none/*.yml'", `{}`},
		{"{local: inputs.yml, inputs: {e: job}}", `{"job":{"script":["x"]}}`},
		{"[{local: inputs.yml, inputs: {e: j1}}, {local: inputs.yml, inputs: {e: j2}}]",
			`{"j1":{"script":["x"]},"j2":{"script":["x"]}}`},
		{"{project: Other/P, file: x.yml}", `{"y":1,"x":1}`},
		{"{project: other/p, ref: v1, file: /x.yml}", `{"x":"v1"}`},
		{"{project: other/p, file: [x.yml, y.yml]}", `{"y":1,"x":1}`},
		{"https://h.test/r.yml", `{"r":1}`},
		{"{remote: 'https://h.test/r.yml', integrity: sha256-n9xdmJZsrEbrle/wVQzMzNT0SeWyXRs+P1omwqFEaEE=}", `{"r":1}`},
		{"{template: Go.gitlab-ci.yml}", `{"t":1}`},
		{"{component: hew.test/other/p/comp@1.0}", `{"c":"z comp 1.0"}`},
		{"{artifact: child.yml, job: job}", `{"child":1}`},
		{"$DIR/b.yaml", `{"b":{"script":["b"]}}`},
		{"{local: '${DIR}/%NONE%b.yaml'}", `{"b":{"script":["b"]}}`},
		{"$REMOTE", `{"r":1}`},
		{"[{local: a.yml, rules: [no]}, {remote: 'https://h.test/r.yml', rules: [yes]}]", `{"r":1}`},
	} {
		d, err := repository.load("include: "+test.include+"\n", func(r *document.Request) {
			r.Child = true
			r.Variables = map[string]document.Variable{"DIR": {Value: "dir"}, "REMOTE": {Value: "https://h.test/r.yml"}}
			r.Rules = func(_ context.Context, rules *document.Node, from document.Origin) (bool, error) {
				require.Equal(t, origin, from)
				return rules.Items[0].Bool, nil
			}
		})
		require.NoError(t, err, test.include)
		require.Equal(t, test.want, shown(d.Root), test.include)
	}
}

func TestIncludeFaults(t *testing.T) {
	t.Parallel()
	const subkeys = "`local`, `project`, `remote`, `template`, `artifact`, `component`"
	for _, test := range []struct{ include, want string }{
		{"none.yml", ".gitlab-ci.yml:1: Local file `none.yml` does not exist!"},
		{"/none.yml", ".gitlab-ci.yml:1: Local file `none.yml` does not exist!"},
		{"empty.yml", ".gitlab-ci.yml:1: Local file `empty.yml` is empty!"},
		{"readme.md", ".gitlab-ci.yml:1: Included file `readme.md` does not have YAML extension!"},
		{"'*.md'", ".gitlab-ci.yml:1: Included file `readme.md` does not have YAML extension!"},
		{"comments.yml", ".gitlab-ci.yml:1: Included file `comments.yml` does not have valid YAML syntax!"},
		{"broken.yml", "broken.yml:1: `broken.yml`: Unknown alias: x"},
		{"missing.yml", "missing.yml:4: Local file `none.yml` does not exist!"},
		{"inputs.yml", "inputs.yml:1: `inputs.yml`: `e` input: required value has not been provided"},
		{"{local: a.yml, inputs: {e: 1}}", ".gitlab-ci.yml:1: `a.yml`: " +
			"Given inputs not defined in the `spec` section of the included configuration file"},
		{"{project: none/p, file: x.yml}", ".gitlab-ci.yml:1: Project `none/p` not found or access denied! " +
			"Make sure any includes in the pipeline configuration are correctly defined."},
		{"{project: other/p, file: x.yml, ref: none}", ".gitlab-ci.yml:1: Project `other/p` reference `none` does not exist!"},
		{"{project: other/p, file: no.yml}", ".gitlab-ci.yml:1: Project `other/p` file `no.yml` does not exist!"},
		{"{project: other/p, file: empty.yml}", ".gitlab-ci.yml:1: Project `other/p` file `empty.yml` is empty!"},
		{"{project: other/p}", ".gitlab-ci.yml:1: include config must specify the file where to fetch the config from"},
		{"https://h.test/none.yml", ".gitlab-ci.yml:1: Remote file `https://h.test/none.yml` " +
			"could not be fetched after 1 attempt because of HTTP code `404` error!"},
		{"{remote: h.test/r.yml}", ".gitlab-ci.yml:1: Remote file `h.test/r.yml` does not have a valid address!"},
		{"https://h.test/local.yml", "https://h.test/local.yml:1: Local file `a.yml` does not have project!"},
		{"{remote: 'https://h.test/r.yml', integrity: sha256-AAAA}",
			".gitlab-ci.yml:1: Remote file `https://h.test/r.yml` failed integrity check!"},
		{"{remote: 'https://h.test/r.yml', integrity: md5-AAAA}",
			".gitlab-ci.yml:1: include config integrity hash must start with 'sha256-'"},
		{"{remote: 'https://h.test/r.yml', integrity: sha256-A}",
			".gitlab-ci.yml:1: include config integrity hash must be base64 encoded"},
		{"{local: a.yml, integrity: sha256-AAAA}",
			".gitlab-ci.yml:1: include config integrity can only be specified for remote includes"},
		{"{template: Go.yml}", ".gitlab-ci.yml:1: Template file `Go.yml` is not a valid location!"},
		{"{template: No.gitlab-ci.yml}", ".gitlab-ci.yml:1: Included file `No.gitlab-ci.yml` is empty or does not exist!"},
		{"{component: hew.test/comp@1.0}",
			".gitlab-ci.yml:1: Component 'hew.test/comp@1.0' - the component path is not supported"},
		{"{component: hew.test/other/p/no@1.0}", ".gitlab-ci.yml:1: Component 'hew.test/other/p/no@1.0' - content not found"},
		{"{component: hew.test/other/p/incl@1.0}", "hew.test/other/p/incl@1.0:1: `hew.test/other/p/incl@1.0`: " +
			"header:spec config contains unknown keys: include"},
		{"{artifact: child.yml, job: job}",
			".gitlab-ci.yml:1: Including configs from artifacts is only allowed when triggering child pipelines"},
		{"{foo: <x>}", ".gitlab-ci.yml:1: `{\"foo\":\"<x>\"}` does not have a valid subkey for include. " +
			"Valid subkeys are: " + subkeys},
		{"{file: x.yml}", ".gitlab-ci.yml:1: `{\"file\":\"x.yml\"}` does not have a valid subkey for include. " +
			"Valid subkeys are: " + subkeys},
		{"{local: a.yml, remote: 'https://h.test/r.yml'}", ".gitlab-ci.yml:1: Each include must use only one of: " + subkeys},
		{"[7]", ".gitlab-ci.yml:1: include config should be a hash or a string"},
		{"{local: 7}", ".gitlab-ci.yml:1: Included file `7` needs to be a string"},
		{"{local: [a.yml]}", ".gitlab-ci.yml:1: Included file `[\"a.yml\"]` needs to be a string"},
		{"$SECRET.yml", ".gitlab-ci.yml:1: Local file `[MASKED]xxxx.yml` does not exist!"},
	} {
		_, err := repository.load("include: "+test.include+"\n", func(r *document.Request) {
			r.Variables = map[string]document.Variable{"SECRET": {Value: "s3cret-value", Masked: true}}
		})
		require.Equal(t, test.want, message(err), test.include)
	}
}

func TestArtifactFaults(t *testing.T) {
	t.Parallel()
	for include, want := range map[string]string{
		"{artifact: child.yml}":            "Job must be provided when including configs from artifacts",
		"{artifact: child.yml, job: none}": "Job `none` not found in parent pipeline or does not have artifacts!",
		"{artifact: none.yml, job: job}":   "Path `none.yml` does not exist inside the `job` archive!",
		"{artifact: child.txt, job: job}":  "Included file `child.txt` does not have YAML extension!",
	} {
		_, err := repository.load("include: "+include+"\n", func(r *document.Request) { r.Child = true })
		require.EqualError(t, err, want)
	}
}

func TestIncludedFilesAreListed(t *testing.T) {
	t.Parallel()
	d, err := repository.load("include:\n- nested.yml\n- {project: other/p, file: x.yml}\n- https://h.test/r.yml\n" +
		"- {local: inputs.yml, inputs: {e: q}}\n")
	require.NoError(t, err)
	var got []string
	for _, i := range d.Includes {
		got = append(got, string(i.Form)+" "+i.Location+" "+i.Context.Project+" "+shown(i.Extra))
	}
	require.Equal(t, []string{
		`local nested.yml g/p {}`,
		`file x.yml g/p {"project":"other/p","ref":"HEAD"}`,
		`remote https://h.test/r.yml g/p {}`,
		`local inputs.yml g/p {"inputs":{"e":"q"}}`,
		`local a.yml g/p {}`,
		`local dir/b.yaml g/p {}`,
		`local y.yml other/p {}`,
	}, got)
	require.Equal(t, "https://hew.test/g/p/-/blob/aaaa/nested.yml", d.Includes[0].Blob)
	require.Equal(t, "https://hew.test/other/p/-/raw/HEAD/y.yml", d.Includes[6].Raw)
}

func TestMergeOfIncludes(t *testing.T) {
	t.Parallel()
	d, err := files{
		"a.yml": "v: {A: a, B: a}\ns: [a, b]\nx: 1\nn: {k: 1}",
		"b.yml": "v: {B: b, C: b}\ns: [c]\nx: {y: 1}",
	}.load("include: [a.yml, b.yml]\nv: {C: own}\nn: ~\nz: 1\n")
	require.NoError(t, err)
	require.Equal(t, `{"v":{"A":"a","B":"b","C":"own"},"s":["c"],"x":{"y":1},"n":null,"z":1}`, shown(d.Root))
}

func TestHeaderIncludes(t *testing.T) {
	t.Parallel()
	d, err := repository.load("spec: {include: [only.yml], inputs: {f: {default: own}}}\n---\na: $[[ inputs.e ]] $[[ inputs.f ]]\n")
	require.NoError(t, err)
	require.Equal(t, `{"a":"shared own"}`, shown(d.Root))

	_, err = repository.load("spec: {include: nested.yml}\n---\na: 1\n")
	require.EqualError(t, err, "Header include file `nested.yml` contains unknown keys: [:include, :n]")
}

func TestRootInclude(t *testing.T) {
	t.Parallel()
	include, err := document.Parse("trigger", []byte("include: [{artifact: child.yml, job: job}, a.yml]"), document.Limits{})
	require.NoError(t, err)
	d, err := repository.load("", func(r *document.Request) { r.Include, r.Child = include.Get("include"), true })
	require.NoError(t, err)
	require.Equal(t, `{"child":1,"a":{"script":["a"]}}`, shown(d.Root))

	_, err = repository.load(" \n")
	require.EqualError(t, err, "Please provide content of .gitlab-ci.yml")
}

func TestComponentLocation(t *testing.T) {
	t.Parallel()
	var got document.Location
	_, err := files{}.load("include: {component: 'hew.test:8443/Group/sub/p/Name-1@~latest'}\n", func(r *document.Request) {
		r.Files = readFunc(func(_ context.Context, at document.Location) (document.File, error) {
			got = at
			return document.File{}, document.ErrNoProject
		})
	})
	require.EqualError(t, err, "Component 'hew.test:8443/Group/sub/p/Name-1@~latest' - "+
		"project does not exist or you don't have sufficient permissions")
	require.Equal(t, document.Location{Form: document.Component, From: origin, Host: "hew.test:8443",
		Project: "group/sub/p", Path: "Name-1", Ref: "~latest"}, got)
}

func TestRemoteCache(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]time.Duration{
		"true": time.Hour, "false": 0, "1 day": 24 * time.Hour, "2h 20min": 140 * time.Minute, "90": time.Hour,
		"'90'": 90 * time.Second, "nonsense": time.Hour, "1 week and 2 days": 9 * 24 * time.Hour,
	} {
		var got time.Duration
		_, _ = files{}.load("include: {remote: 'https://h.test/r.yml', cache: "+written+"}\n", func(r *document.Request) {
			r.Files = readFunc(func(_ context.Context, at document.Location) (document.File, error) {
				got = at.Cache
				return document.File{}, document.ErrNoFile
			})
		})
		require.Equal(t, want, got, written)
	}
}

func TestOtherErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is on fire")
	_, err := files{}.load("include: a.yml\n", func(r *document.Request) {
		r.Files = readFunc(func(context.Context, document.Location) (document.File, error) { return document.File{}, broken })
	})
	require.ErrorIs(t, err, broken)

	_, err = files{}.load("a: 1\n\ninclude: a.yml\n", func(r *document.Request) {
		r.Files = readFunc(func(context.Context, document.Location) (document.File, error) {
			return document.File{}, &document.Error{Text: "Remote file could not be fetched because it is blocked!"}
		})
	})
	require.Equal(t, ".gitlab-ci.yml:3: Remote file could not be fetched because it is blocked!", message(err))
}

// readFunc is Files that are one function; wildcards match a.yml.
type readFunc func(context.Context, document.Location) (document.File, error)

func (f readFunc) Read(ctx context.Context, at document.Location) (document.File, error) {
	return f(ctx, at)
}

func (f readFunc) Match(context.Context, document.Origin, string) ([]string, error) {
	return []string{"a.yml"}, nil
}
