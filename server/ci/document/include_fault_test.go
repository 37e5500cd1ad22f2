package document_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

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
		{"{project: other/p, file: x.yml, ref: none}",
			".gitlab-ci.yml:1: Project `other/p` reference `none` does not exist!"},
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
		{"{template: No.gitlab-ci.yml}",
			".gitlab-ci.yml:1: Included file `No.gitlab-ci.yml` is empty or does not exist!"},
		{"{component: hew.test/comp@1.0}",
			".gitlab-ci.yml:1: Component 'hew.test/comp@1.0' - the component path is not supported"},
		{"{component: hew.test/other/p/no@1.0}",
			".gitlab-ci.yml:1: Component 'hew.test/other/p/no@1.0' - content not found"},
		{"{component: hew.test/other/p/incl@1.0}", "hew.test/other/p/incl@1.0:1: `hew.test/other/p/incl@1.0`: " +
			"header:spec config contains unknown keys: include"},
		{"{artifact: child.yml, job: job}",
			".gitlab-ci.yml:1: Including configs from artifacts is only allowed when triggering child pipelines"},
		{"{foo: <x>}", ".gitlab-ci.yml:1: `{\"foo\":\"<x>\"}` does not have a valid subkey for include. " +
			"Valid subkeys are: " + subkeys},
		{"{file: x.yml}", ".gitlab-ci.yml:1: `{\"file\":\"x.yml\"}` does not have a valid subkey for include. " +
			"Valid subkeys are: " + subkeys},
		{"{local: a.yml, remote: 'https://h.test/r.yml'}",
			".gitlab-ci.yml:1: Each include must use only one of: " + subkeys},
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

func TestOtherErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is on fire")
	_, err := files{}.load("include: a.yml\n", func(r *document.Request) {
		r.Files = readFunc(func(context.Context, document.Location) (document.File, error) {
			return document.File{}, broken
		})
	})
	require.ErrorIs(t, err, broken)

	_, err = files{}.load("a: 1\n\ninclude: a.yml\n", func(r *document.Request) {
		r.Files = readFunc(func(context.Context, document.Location) (document.File, error) {
			return document.File{}, &document.Error{Text: "Remote file could not be fetched because it is blocked!"}
		})
	})
	require.Equal(t, ".gitlab-ci.yml:3: Remote file could not be fetched because it is blocked!", message(err))
}
