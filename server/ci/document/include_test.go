package document_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

// repository is what include tests include.
var repository = files{
	"a.yml":                     "a: {script: [a]}",
	"dir/b.yaml":                "b: {script: [b]}",
	"dir/deep/c.yml":            "c: {script: [c]}",
	"empty.yml":                 " \n",
	"comments.yml":              "# nothing\n",
	"broken.yml":                "a: *x\n",
	"readme.md":                 "text",
	"inputs.yml":                "spec: {inputs: {e: }}\n---\n$[[ inputs.e ]]: {script: [x]}",
	"nested.yml":                "include: [a.yml, /dir/b.yaml]\nn: 1",
	"missing.yml":               "n: 1\n\ninclude:\n  - local: none.yml",
	"only.yml":                  "inputs: {e: {default: shared}, f: {default: f}}",
	"other/p@HEAD:x.yml":        "include: y.yml\nx: 1",
	"other/p@HEAD:y.yml":        "y: 1",
	"other/p@v1:x.yml":          "x: v1",
	"other/p@HEAD:empty.yml":    "",
	"https://h.test/r.yml":      "r: 1",
	"https://h.test/local.yml":  "include: a.yml",
	"template:Go.gitlab-ci.yml": "t: 1",
	"component:other/p/comp@1.0": "spec: {inputs: {e: {default: z}}, component: [name, version]}\n---\n" +
		"c: $[[ inputs.e ]] $[[ component.name ]] $[[ component.version ]]",
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

func TestIncludeOfNothingMore(t *testing.T) {
	t.Parallel()
	d, err := files{"a.yml": "include: {local: none.yml, rules: [no]}"}.load("include: a.yml\nb: 1\n",
		func(r *document.Request) {
			r.Rules = func(context.Context, *document.Node, document.Origin) (bool, error) { return false, nil }
		})
	require.NoError(t, err)
	require.Equal(t, `{"b":1}`, shown(d.Root))
}

func TestHeaderIncludes(t *testing.T) {
	t.Parallel()
	d, err := repository.load("spec: {include: [only.yml], inputs: {f: {default: own}}}\n---\n" +
		"a: $[[ inputs.e ]] $[[ inputs.f ]]\n")
	require.NoError(t, err)
	require.Equal(t, `{"a":"shared own"}`, shown(d.Root))

	_, err = repository.load("spec: {include: nested.yml}\n---\na: 1\n")
	require.EqualError(t, err, "Header include file `nested.yml` contains unknown keys: [:include, :n]")
}

func TestRootInclude(t *testing.T) {
	t.Parallel()
	include, err := document.Parse("trigger", []byte("include: [{artifact: child.yml, job: job}, a.yml]"),
		document.Limits{})
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
	const include = "include: {component: 'hew.test:8443/Group/sub/p/Name-1@~latest'}"
	_, err := files{}.load(include, func(r *document.Request) {
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

func TestWildcard(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/*.yml", "a/b.yml", true}, {"a/*.yml", "a/b/c.yml", false}, {"a/*.yml", "xa/b.yml", false},
		{"a/**.yml", "a/b/c.yml", true}, {"a/**/*.yml", "a/b/c.yml", true}, {"a/**/*.yml", "a/c.yml", false},
		{"***.yml", "a/b.yml", true}, {"a.*", "a.yml", true}, {"a.*", "abyml", false}, {"*", "a\nb", true},
		{strings.Repeat("*", 1001), "a", false},
	} {
		require.Equal(t, test.want, document.Wildcard(test.pattern)(test.path), "%s %s", test.pattern, test.path)
	}
}

func TestRemoteCache(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]time.Duration{
		"true": time.Hour, "false": 0, "1 day": 24 * time.Hour, "2h 20min": 140 * time.Minute, "90": time.Hour,
		"'90'": 90 * time.Second, "nonsense": time.Hour, "1 week and 2 days": 9 * 24 * time.Hour,
	} {
		var got time.Duration
		include := "include: {remote: 'https://h.test/r.yml', cache: " + written + "}"
		_, _ = files{}.load(include, func(r *document.Request) {
			r.Files = readFunc(func(_ context.Context, at document.Location) (document.File, error) {
				got = at.Cache
				return document.File{}, document.ErrNoFile
			})
		})
		require.Equal(t, want, got, written)
	}
}

// readFunc is Files that are one function; wildcards match a.yml.
type readFunc func(context.Context, document.Location) (document.File, error)

func (f readFunc) Read(ctx context.Context, at document.Location) (document.File, error) {
	return f(ctx, at)
}

func (f readFunc) Match(context.Context, document.Origin, string) ([]string, error) {
	return []string{"a.yml"}, nil
}
