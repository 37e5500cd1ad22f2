package catalogue_test

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

// publicIntegrations is the list of parameters as the specification has it, unchanged.
//
//go:embed testdata/public-integrations.tsv
var publicIntegrations string

// neutral are the names of the specification that stand for others: of integrations, and of their
// parameters.
var neutral = map[string]string{
	"mobile_app_store": "apple-app-store", "task_tracker_a": "asana", "ticket_tracker_a": "assembla",
	"build_server_a": "bamboo", "bug_tracker_a": "bugzilla", "ci_service_a": "buildkite", "chat_room_a": "campfire",
	"task_tracker_b": "clickup", "wiki_workspace_a": "confluence", "monitoring_a": "datadog",
	"test_generator_a": "diffblue-cover", "chat_webhook_a": "discord",

	"build_server_url": "bamboo_url", "wiki_workspace_url": "confluence_url", "monitoring_env": "datadog_env",
	"monitoring_service": "datadog_service", "monitoring_site": "datadog_site", "monitoring_tags": "datadog_tags",
	"license_key": "diffblue_license_key", "access_token_name": "diffblue_access_token_name",
	"access_token_secret": "diffblue_access_token_secret",
}

// The tables have the integrations of the specification and no other, with its parameters, their
// types, and which of them are required; secret is whatever it guesses to be.
func TestIntegrationsAreThePublicOnes(t *testing.T) {
	t.Parallel()
	// of which only the other list knows
	want := map[string][]string{"jira": {"jira_issue_transition_automatic boolean no "}}
	for _, line := range strings.Split(strings.TrimSuffix(publicIntegrations, "\n"), "\n")[1:] {
		cells := strings.Split(line, "\t")
		slug, name, kind, required, secret := cells[0], cells[1], cells[2], cells[3], cells[4]
		if name == "use_inherited_settings" {
			want[slug] = append(want[slug], []string{}...) // every integration has it
			continue
		}
		if kind == "[string]" {
			kind = "array(string)"
		}
		want[slug] = append(want[slug], strings.Join([]string{name, kind, required, secret}, " "))
	}
	got := map[string][]string{}
	for _, i := range catalogue.Integrations() {
		require.NotEmpty(t, i.Title)
		got[i.Slug] = nil
		for _, p := range i.Parameters {
			secret := ""
			// which the list does not guess
			if p.Secret && !(i.Slug == "discord" && strings.HasSuffix(p.Name, "_channel")) {
				secret = "likely-secret"
			}
			got[i.Slug] = append(
				got[i.Slug], strings.Join([]string{p.Name, string(p.Type), yes(p.Required), secret}, " "),
			)
		}
		for _, f := range i.Flags {
			name := f.Name
			if f.Alias != "" {
				name = f.Alias
			}
			got[i.Slug] = append(got[i.Slug], name+" boolean no ")
		}
	}
	require.Len(t, got, 52)
	for slug := range want {
		slices.Sort(want[slug])
		slices.Sort(got[slug])
		require.Equal(t, want[slug], got[slug], slug)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// Everything can be asked for by its neutral name as well, and is shown under either.
func TestNeutralNames(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, i := range catalogue.Integrations() {
		if i.Alias != "" {
			names[i.Alias] = i.Slug
			same, ok := catalogue.IntegrationBySlug(i.Alias)
			require.True(t, ok)
			require.Equal(t, i.Slug, same.Slug)
		}
		require.Equal(t, i.Slug, i.Spelled(false))
		for _, p := range i.Parameters {
			if p.Alias != "" {
				names[p.Alias] = p.Name
				same, ok := i.Parameter(p.Spelled(true))
				require.True(t, ok)
				require.Equal(t, p.Name, same.Spelled(false))
			}
		}
	}
	require.Equal(t, neutral, names)
	_, ok := catalogue.IntegrationBySlug("slak")
	require.False(t, ok)
}

// Every parameter keeps its default and is held to its type, its words and its form.
func TestEveryParameter(t *testing.T) {
	t.Parallel()
	for _, i := range catalogue.Integrations() {
		for _, p := range i.Parameters {
			require.NoError(t, p.Check(p.Default), p.Name)
			require.NoError(t, p.Check(nil), p.Name)
			require.EqualError(t, p.Check(of[p.Type].bad), "is not of type "+string(p.Type), p.Name)
			require.Regexp(t, `^[A-Z][^\n]*[^.]\.$`, p.Doc)
			for _, word := range p.Enum {
				v, err := p.Read(word)
				require.NoError(t, err)
				require.NoError(t, p.Check(v), p.Name)
			}
			if len(p.Enum) > 0 {
				v, err := p.Read("77")
				require.NoError(t, err)
				require.EqualError(t, p.Check(v), "is not included in the list", p.Name)
			}
			if p.Base {
				require.True(t, slices.ContainsFunc(i.Parameters, func(p catalogue.Parameter) bool { return p.Secret }),
					i.Slug)
			}
		}
	}
}

func TestReadingAndForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ slug, name, text, wrong string }{
		{"slack", "webhook", "https://hooks.example.com/1", ""},
		{"slack", "webhook", "ftp://hooks.example.com", "must be a valid URL"},
		{"slack", "branches_to_be_notified", "", ""},
		{"slack", "notify_only_broken_pipelines", "yes", "is not of type boolean"},
		{"slack", "push_channel", "#builds", ""},
		{"discord", "push_channel", "#builds", "must be a valid URL"},
		{"bugzilla", "issues_url", "https://bugs.example.com/:id", ""},
		{"irker", "server_port", "6659", ""},
		{"irker", "server_port", "0", "must be a port, from 1 to 65535"},
		{"irker", "server_port", "many", "is not of type integer"},
		{"datadog", "datadog_site", "datadoghq.eu", ""},
		{"datadog", "datadog_site", "data dog", "is not the name of a host"},
		{"datadog", "datadog_tags", "team:web\nurl:https://x\n", ""},
		{"datadog", "datadog_tags", "team", "must have one key:value a line"},
		{"jira", "jira_issue_transition_id", "11, 31", ""},
		{"jira", "jira_issue_transition_id", "done", "must be numbers, separated by commas"},
		{"jira", "jira_issue_regex", "(", "is not a valid regular expression"},
		{"jira", "jira_auth_type", "1", ""},
	} {
		i, ok := catalogue.IntegrationBySlug(c.slug)
		require.True(t, ok)
		p, ok := i.Parameter(c.name)
		require.True(t, ok, c.name)
		v, err := p.Read(c.text)
		if err == nil {
			err = p.Check(v)
		}
		if c.wrong == "" {
			require.NoError(t, err, c.text)
		} else {
			require.EqualError(t, err, c.wrong)
		}
	}
	jira, _ := catalogue.IntegrationBySlug("jira")
	keys, _ := jira.Parameter("project_keys")
	list, err := keys.Read("A, B,")
	require.NoError(t, err)
	require.Equal(t, []any{"A", "B"}, list)
	require.Equal(t, []string{"password"}, jira.Missing(map[string]any{"url": "https://x", "password": ""}))
	require.True(t, jira.Has("commit_events"))
	require.False(t, jira.Has("push_events"))
}
