package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFactsAreTold finds every variable that the programs of this side read in
// the table of variables, and in the page about the environment; exit codes are in the README.
func TestFactsAreTold(t *testing.T) {
	t.Parallel()
	var told strings.Builder
	for _, v := range variables {
		told.WriteString(v.name + " " + v.is + "\n")
	}
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	page, err := os.ReadFile("../reference/guides/environment.md")
	require.NoError(t, err)
	name := regexp.MustCompile(`"((?:HEW|TF|GITLAB|CI|NO)_[A-Z0-9_]+)"`)
	found := 0
	for _, dir := range []string{"../cli", "../post", "../view", "../../../provider/client",
		"../../../reconcile/config", "../../../reconcile/ledger"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range name.FindAllStringSubmatch(string(src), -1) {
				found++
				if m[1] != "GITLAB_USER_LOGIN" { // who holds the lock, where a CI job knows
					require.Contains(t, told.String(), m[1], "%s reads it", file)
				}
			}
		}
	}
	require.NotZero(t, found)
	for _, v := range variables {
		require.Contains(t, string(page), "`"+v.name+"`")
	}
	for _, c := range exitCodes {
		require.True(
			t, strings.Contains(string(readme), "\n| "+c.name+" | "), "README.md does not name exit code %s", c.name,
		)
	}
}

// TestGitlabformSections compares the guide with the sections of gitlabform 6.2.1: those that its
// processors read.
func TestGitlabformSections(t *testing.T) {
	t.Parallel()
	sections := strings.Fields(`application.settings group_settings group_members group_ldap_links
		group_saml_links group_variables group_push_rules group_hooks group_labels group_badges
		group_protected_branches project project_settings project_push_rules members variables hooks
		integrations deploy_keys labels branches tags merge_requests_approvals
		merge_requests_approval_rules remote_mirrors badges files schedules resource_groups
		job_token_scope protected_environments project_security_settings group_settings.avatar
		project_settings.avatar`)
	var told []string
	for _, s := range gitlabformSections {
		told = append(told, strings.Split(s.name, ", ")...)
	}
	require.ElementsMatch(t, sections, told)
}
