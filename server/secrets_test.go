package server_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server"
	"hew/server/part"
	"hew/server/servertest"
)

// plant is a request with a secret of its own in the place of every $.
type plant struct {
	method, path string
	body         string
	as           string // what the id in the answer stands for in later paths; refused: the secret opens nothing
}

// plants are requests with everything that a client can tell in confidence, apart from what the
// catalogue marks as secret: grown adds that. TestSecretsStaySecret fails where a parameter that is
// called like a secret is neither here nor in clear.
var plants = []plant{
	{"POST", "/users", `{"username":"ann","name":"Ann","email":"ann@example.com","password":"$"}`, "users/id"},
	{"PUT", "/users/{id}", `{"password":"$"}`, ""},
	{"POST", "/users/{user_id}/personal_access_tokens", `{"name":"t","scopes":["api"]}`, "personal_access_tokens/id"},
	{"POST", "/users/{user_id}/impersonation_tokens", `{"name":"i","scopes":["api"]}`, ""},
	{"POST", "/personal_access_tokens/{id}/rotate", `{}`, ""},
	{"POST", "/groups", `{"name":"Acme","path":"acme"}`, "groups/id"},
	{"POST", "/projects", `{"name":"Web"}`, "projects/id"},

	{"POST", "/groups/{id}/hooks", hookSecrets, "groups/hook_id"},
	{"POST", "/projects/{id}/hooks", hookSecrets, "projects/hook_id"},
	{"POST", "/hooks", hookSecrets, "hooks/hook_id"},
	{"PUT", "/groups/{id}/hooks/{hook_id}", hookSecrets, ""},
	{"PUT", "/hooks/{hook_id}", hookSecrets, ""},
	{"PUT", "/hooks/{hook_id}/url_variables/{key}", `{"value":"$"}`, ""},
	{"PUT", "/projects/{id}/hooks/{hook_id}", hookSecrets, ""},
	{"PUT", "/groups/{id}/hooks/{hook_id}/url_variables/{key}", `{"value":"$"}`, ""},
	{"PUT", "/projects/{id}/hooks/{hook_id}/url_variables/{key}", `{"value":"$"}`, ""},
	{"PUT", "/groups/{id}/hooks/{hook_id}/custom_headers/{key}", `{"value":"$"}`, ""},
	{"PUT", "/projects/{id}/hooks/{hook_id}/custom_headers/{key}", `{"value":"$"}`, ""},

	{"POST", "/projects/{id}/remote_mirrors", `{"url":"https://$:$@ci.example.com/a.git","enabled":true}`, ""},
	{"POST", "/projects/{id}/remote_mirrors", `{"url":"https://$@ci.example.com/b.git"}`, ""},
	{"PUT", "/projects/{id}", `{"mirror":true,"import_url":"https://$:$@ci.example.com/c.git"}`, ""},
	{"POST", "/projects/{id}/repository/commits", twoBranches[0], ""},
	{"POST", "/projects/{id}/repository/commits", twoBranches[1], ""},
	{"POST", "/projects/{id}/merge_requests", `{"source_branch":"b","target_branch":"main","title":"t"}`, ""},
	{"POST", "/projects/{id}/merge_requests/{merge_request_iid}/approve", `{"approval_password":"$"}`, "refused"},
	{"POST", "/projects/{id}/repository/commits", `{"branch":"main","commit_message":"c","actions":[
		{"action":"create","file_path":".gitlab-ci.yml","content":"a: {script: a, when: manual}"}]}`, ""},
	{"POST", "/projects/{id}/pipeline", `{"ref":"main","variables":[{"key":"KEY","value":"$"}]}`, ""},
	{"GET", "/projects/{id}/jobs", ``, "job_id"},
	{"GET", "/projects/{id}/jobs", ``, "jobs/id"},
	{"POST", "/projects/{id}/jobs/{job_id}/play", `{"job_variables_attributes":[{"key":"KEY","value":"$"}]}`, ""},
	{"POST", "/projects/{id}/triggers", `{"description":"a"}`, ""},
	{"POST", "/projects/{id}/pipeline_schedules", `{"description":"a","ref":"main","cron":"0 4 31 2 *"}`,
		"pipeline_schedule_id"},
	{"POST", "/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables", `{"key":"key","value":"$"}`, ""},
	{"PUT", "/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}", `{"value":"$"}`, ""},
	{"POST", "/jobs/request", `{"token":"$"}`, "refused"},
	{"POST", "/import/forge/gists", `{"personal_access_token":"$","forge_hostname":"http://127.0.0.1:1"}`, "refused"},
	{"POST", "/import/github/gists", `{"personal_access_token":"$","forge_hostname":"http://127.0.0.1:1"}`, "refused"},
	{"PUT", "/jobs/{id}", `{"token":"$"}`, "refused"},
	{"POST", "/jobs/{id}/artifacts/authorize", `{"token":"$"}`, "refused"},
	{"POST", "/jobs/{id}/artifacts", `{"token":"$"}`, "refused"},
	{"POST", "/projects/{id}/alert_integrations", `{"name":"a"}`, ""},
	{"POST", "/groups/{id}/access_tokens", `{"name":"t","scopes":["api"]}`, ""},
	{"POST", "/projects/{id}/access_tokens", `{"name":"t","scopes":["api"]}`, ""},
	{"POST", "/groups/{id}/deploy_tokens", `{"name":"t","scopes":["read_repository"]}`, ""},
	{"POST", "/projects/{id}/deploy_tokens", `{"name":"t","scopes":["read_repository"]}`, ""},

	{"POST", "/admin/ci/variables", `{"key":"key","value":"$"}`, ""},
	{"POST", "/groups/{id}/variables", `{"key":"key","value":"$"}`, ""},
	{"POST", "/projects/{id}/variables", `{"key":"key","value":"$","masked":true}`, ""},
	{"PUT", "/admin/ci/variables/{key}", `{"value":"$"}`, ""},
	{"PUT", "/groups/{id}/variables/{key}", `{"value":"$"}`, ""},
	{"PUT", "/projects/{id}/variables/{key}", `{"value":"$"}`, ""},

	{"POST", "/user/runners", `{"runner_type":"instance_type"}`, ""},
	{"POST", "/runners/reset_registration_token", `{}`, ""},
	{"POST", "/groups/{id}/runners/reset_registration_token", `{}`, ""},
	{"POST", "/projects/{id}/runners/reset_registration_token", `{}`, ""},
	{"POST", "/runners/verify", `{"token":"$"}`, "refused"},
	{"DELETE", "/runners", `{"token":"$"}`, "refused"},
	{"POST", "/projects/{id}/integrations/slack_slash_commands/trigger", `{"token":"$"}`, "refused"},
	{"POST", "/projects/{id}/integrations/mattermost_slash_commands/trigger", `{"token":"$"}`, "refused"},
	{"POST", "/projects/{id}/services/slack_slash_commands/trigger", `{"token":"$"}`, "refused"},
	{"POST", "/projects/{id}/services/mattermost_slash_commands/trigger", `{"token":"$"}`, "refused"},

	{"POST", "/projects/remote-import-objectstore", `{"access_key_id":"a","secret_access_key":"$","bucket_name":"b",
		"file_key":"key","path":"p","region":"eu-west-1","namespace":"nobody-has-it"}`, "refused"},
	{"POST", "/projects/remote-import-s3", `{"access_key_id":"a","secret_access_key":"$","bucket_name":"b",
		"file_key":"key","path":"p","region":"eu-west-1","namespace":"nobody-has-it"}`, "refused"},
	{"POST", "/import/forge", `{"personal_access_token":"$","additional_access_tokens":["$"],"repo_id":1,
		"target_namespace":"acme","forge_hostname":"http://127.0.0.1:1"}`, "refused"},
	{"POST", "/import/github", `{"personal_access_token":"$","additional_access_tokens":["$"],"repo_id":1,
		"target_namespace":"acme","forge_hostname":"http://127.0.0.1:1"}`, "refused"},
	{"POST", "/import/forge_server", `{"personal_access_token":"$","forge_server_url":"http://127.0.0.1:1",
		"forge_server_username":"a","forge_server_project":"a","forge_server_repo":"a"}`, "refused"},
	{"POST", "/import/bitbucket_server", `{"personal_access_token":"$","forge_server_url":"http://127.0.0.1:1",
		"forge_server_username":"a","forge_server_project":"a","forge_server_repo":"a"}`, "refused"},

	{"GET", "/groups/{id}", ``, ""},
	{"GET", "/projects/{id}", ``, ""},
}

const hookSecrets = `{"url":"https://u:$@ci.example.com/{key}","token":"$","url_variables":[{"key":"key","value":"$"}],
	"custom_headers":[{"key":"key","value":"$"}]}`

// called is how parameters are called that are secrets, as a rule.
var called = regexp.MustCompile(`(^|[._])(tokens?|secrets?|passwords?|passphrases?|keys?|values?|credentials?)$`)

// clear are the parameters that are called like secrets and can be read in the tables, and why.
var clear = []struct{ parameters, why string }{
	{`/(remote_mirrors(/\{mirror_id\})?|mirror/pull) host_keys$`, "the public half of keys"},
	{` (reset_password|force_random_password|prevent_secrets|allow_runner_registration_token|disable_feed_token|disable_personal_access_tokens|include_token)$`, "a switch"},
	{`variables(_attributes)?(\.| )key$|custom_headers\.key$`, "the name of a variable or header"},
	{`/custom_attributes/\{key\} value$`, "what administrators note about a thing, and find it by"},
	{`/projects/remote-import-(objectstore|s3) file_key$`, "the name of an object in a bucket"},
	{`/pipeline_schedules(/\{pipeline_schedule_id\})? inputs\.value$`, "all who see a schedule see its inputs"},
	{`/(deploy_keys|keys|gpg_keys) key$`, "the public half of a key"},
	{`\{slug\} (build_key|project_keys?)$`, "how Bamboo and Jira call a plan or a project"},
	{`/settings elasticsearch_aws_access_key$`, "the name of a key; the secret half has a setting of its own"},
	{`/settings (jira_connect_application_key|recaptcha_site_key)$`, "every browser is told it"},
}

// grown are plants for all secrets of the catalogue, by every route that takes them.
func grown() (list []plant) {
	settings := map[string]any{}
	for _, s := range catalogue.Settings() {
		if s.Secret && s.Writable {
			settings[s.Key] = "$"
		}
	}
	list = append(list, plant{"PUT", "/application/settings", text(settings), ""})
	for _, r := range sum().Routes {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.Path, "/{slug}") || strings.Contains(r.Path, "/wikis/") {
			continue
		}
		for _, i := range catalogue.Integrations() {
			for _, neutral := range []bool{false, true} {
				if body := text(servertest.Filled(i, neutral)); strings.Contains(body, "$") {
					list = append(
						list, plant{r.Method, strings.Replace(r.Path, "{slug}", i.Spelled(neutral), 1), body, ""},
					)
				}
			}
		}
	}
	return list
}

func text(v any) string {
	b, _ := json.Marshal(v) // of texts
	return string(b)
}

// Secrets that the server receives or shows once are in no table, in no readable encoding, and in
// no line of its log.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	var log noted
	s := servertest.FreshWith(
		t, server.Config{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))},
	)
	values := part.Values{"key": "key", "user_id": "1", "merge_request_iid": "1"}
	secrets := map[string]string{s.RootToken: "the token of root"} // and where they come from
	planted := map[string]bool{}
	for _, p := range append(slices.Clone(plants), grown()...) {
		body := p.body
		for strings.Contains(body, "$") {
			secret := rand.Text()
			secrets[secret] = p.method + " " + p.path
			body = strings.Replace(body, "$", secret, 1)
		}
		r := s.Do(t, s.RootToken, p.method, servertest.FillPath(t, p.path, values)+"?private_token="+s.RootToken,
			json.RawMessage(body))
		require.Equal(t, p.as == "refused", r.Status >= 300, "%s %s %s: %s", p.method, p.path, body, r.Body)
		for secret, from := range secrets {
			// those are there to be read
			shown := strings.Contains(from, "/variables") || strings.HasPrefix(from, answered)
			require.True(t, shown ||
				!bytes.Contains(r.Body, []byte(secret)), "%s %s shows what came from %s", p.method, p.path, from)
		}
		var answer any
		_ = json.Unmarshal(r.Body, &answer) // there may be none
		walk(answer, "", func(name string, value any) {
			switch value := value.(type) {
			case string:
				if regexp.MustCompile(`token$`).MatchString(name) && len(value) > 12 {
					secrets[value] = answered + p.method + " " + p.path
				}
			case float64:
				if name == "id" && p.as != "" {
					values[p.as] = fmt.Sprint(value)
				}
			}
		})
		var sent any
		_ = json.Unmarshal([]byte(p.body), &sent)
		walk(sent, "", func(name string, value any) {
			if v, ok := value.(string); ok && strings.Contains(v, "$") {
				planted[ofSlug.ReplaceAllString(p.method+" "+p.path, "$1/{slug}")+" "+name] = true
			}
		})
	}
	s.Drain(t)

	lines := sensitive()
	forgotten := slices.DeleteFunc(slices.Clone(lines),
		func(line string) bool { return planted[line] || isClear(line) })
	require.Empty(t, forgotten, "plant a secret there, or say in clear why it is none")
	for _, c := range clear {
		require.True(t, slices.ContainsFunc(lines, regexp.MustCompile(c.parameters).MatchString),
			"%s: nothing is called so", c.parameters)
	}
	dump := s.Dump(t)
	require.Contains(t, dump, "ci.example.com")
	require.Greater(t, len(secrets), 200)
	moved := unzip(t, export(t, s, servertest.FillPath(t, "/projects/{id}", values)))
	require.Contains(t, moved, "tree/project.json")
	for secret, from := range secrets {
		require.Empty(t, servertest.Found(moved, secret), "the archive of the project tells what came from %s", from)
		require.Empty(t, servertest.Found(dump, secret), "a table holds what came from %s", from)
		require.Empty(t, servertest.Found(log.String(), secret), "the log tells what came from %s", from)
	}
}

// ofSlug is a route that sets an integration.
var ofSlug = regexp.MustCompile(`^(PUT .*/(?:integrations|services))/[^{]+$`)

// answered is said of what the server has made, in front of where it told it.
const answered = "the answer of "
