package server_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

// elsewhere lists the routes without a 2xx in a transcript, and why.
var elsewhere = map[string]string{
	"GET /groups/{id}/avatar":                                                                    "needs a file: package project tests it",
	"GET /projects/{id}/avatar":                                                                  "needs a file: package project tests it",
	"GET /topics/{id}/avatar":                                                                    "needs a file: package project tests it",
	"GET /users/{id}/avatar":                                                                     "needs a file: package project tests it",
	"POST /groups/{id}/uploads":                                                                  "needs a file: package upload tests it",
	"GET /groups/{id}/uploads/{upload_id}":                                                       "needs a file: package upload tests it",
	"GET /groups/{id}/uploads/{secret}/{filename}":                                               "needs a file: package upload tests it",
	"DELETE /groups/{id}/uploads/{upload_id}":                                                    "needs a file: package upload tests it",
	"DELETE /groups/{id}/uploads/{secret}/{filename}":                                            "needs a file: package upload tests it",
	"POST /projects/{id}/uploads":                                                                "needs a file: package upload tests it",
	"GET /projects/{id}/uploads/{upload_id}":                                                     "needs a file: package upload tests it",
	"GET /projects/{id}/uploads/{secret}/{filename}":                                             "needs a file: package upload tests it",
	"DELETE /projects/{id}/uploads/{upload_id}":                                                  "needs a file: package upload tests it",
	"DELETE /projects/{id}/uploads/{secret}/{filename}":                                          "needs a file: package upload tests it",
	"GET /projects/{id}/repository/commits/{sha}/signature":                                      "needs a push: package code tests it",
	"GET /projects/{id}/repository/tags/{tag_name}/signature":                                    "needs a push: package code tests it",
	"PUT /projects/{id}/repository/submodules/{submodule}":                                       "needs a push: package code tests it",
	"POST /users/{id}/approve":                                                                   "no route makes a user who waits for approval",
	"POST /users/{id}/reject":                                                                    "no route makes a user who waits for approval",
	"POST /groups/{id}/members/{user_id}/override":                                               "needs an LDAP server: package group tests it",
	"DELETE /groups/{id}/members/{user_id}/override":                                             "needs an LDAP server: package group tests it",
	"POST /groups/{id}/hooks/{hook_id}/test/{trigger}":                                           "needs a receiver: package hook tests it",
	"POST /projects/{id}/hooks/{hook_id}/test/{trigger}":                                         "needs a receiver: package hook tests it",
	"POST /groups/{id}/hooks/{hook_id}/events/{hook_log_id}/resend":                              "needs a receiver: package hook tests it",
	"POST /projects/{id}/hooks/{hook_id}/events/{hook_log_id}/resend":                            "needs a receiver: package hook tests it",
	"GET /projects/{id}/snippets/{snippet_id}/user_agent_detail":                                 "addresses of clients are not kept",
	"PUT /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}":                       "only those of merge requests are resolved",
	"POST /import/bitbucket_server":                                                              "needs another host: package forge tests it",
	"POST /import/forge":                                                                         "needs another host: package forge tests it",
	"POST /import/forge/cancel":                                                                  "needs another host: package forge tests it",
	"POST /import/forge_server":                                                                  "needs another host: package forge tests it",
	"POST /import/github":                                                                        "needs another host: package forge tests it",
	"POST /import/github/cancel":                                                                 "needs another host: package forge tests it",
	"POST /import/forge/gists":                                                                   "needs a host: package gist tests it",
	"GET /import/forge/gists":                                                                    "needs a host: package gist tests it",
	"POST /import/github/gists":                                                                  "needs a host: package gist tests it",
	"GET /import/github/gists":                                                                   "needs a host: package gist tests it",
	"GET /snippets/{snippet_id}/user_agent_detail":                                               "addresses of clients are not kept",
	"GET /projects/{id}/issues/{issue_iid}/user_agent_detail":                                    "addresses of clients are not kept",
	"PUT /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}":                          "only those of merge requests are resolved",
	"PUT /groups/{id}/epics/{epic_id}/discussions/{discussion_id}":                               "only those of merge requests are resolved",
	"PUT /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}":                    "only those of merge requests are resolved",
	"POST /projects/{id}/alert_management_alerts/{alert_iid}/metric_images":                      "needs a file: package integration tests it",
	"DELETE /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}":         "needs a file: package integration tests it",
	"PUT /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}":            "needs a file: package integration tests it",
	"GET /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}/file":       "needs a file: package integration tests it",
	"POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds": "needs a pipeline that runs: package ci tests it",
	"POST /projects/{id}/jobs/{job_id}/erase":                                                    "needs a job that has run: package ci tests it",
	"POST /projects/{id}/jobs/{job_id}/artifacts/keep":                                           "needs a job that has run: package ci tests it",
	"GET /projects/{id}/jobs/{job_id}/artifacts":                                                 "needs a job that has run: package ci tests it",
	"GET /projects/{id}/jobs/{job_id}/artifacts/{artifact_path...}":                              "needs a job that has run: package ci tests it",
	"GET /projects/{id}/jobs/artifacts/{ref_path...}":                                            "needs a job that has run: package ci tests it",
	"POST /groups/{id}/wikis/attachments":                                                        "needs a file: package wiki tests it",
	"POST /projects/{id}/wikis/attachments":                                                      "needs a file: package wiki tests it",
	"GET /job":                                                                                   "needs a job that runs: package ci tests it",
	"PUT /jobs/{id}":                                                                             "needs a job that runs: package ci tests it",
	"PATCH /jobs/{id}/trace":                                                                     "needs a job that runs: package ci tests it",
	"POST /jobs/{id}/artifacts":                                                                  "needs a job that runs: package ci tests it",
	"POST /jobs/{id}/artifacts/authorize":                                                        "needs a job that runs: package ci tests it",
	"GET /projects/{id}/packages/pkgfeed/symbolfiles/{file_name}/{signature}/{same_file_name}":   "needs a header: package packages tests it",
	"GET /projects/{id}/packages/nuget/symbolfiles/{file_name}/{signature}/{same_file_name}":     "needs a header: package packages tests it",
	"GET /groups/{id}/-/packages/pkgfeed/symbolfiles/{file_name}/{signature}/{same_file_name}":   "needs a header: package packages tests it",
	"GET /groups/{id}/-/packages/nuget/symbolfiles/{file_name}/{signature}/{same_file_name}":     "needs a header: package packages tests it",
	"GET /projects/{id}/export/download":                                                         "needs a job that has run: package transfer tests it",
	"POST /projects/remote-import":                                                               "needs another host: package transfer tests it",
	"POST /projects/remote-import-objectstore":                                                   "needs another host: package transfer tests it",
	"POST /projects/remote-import-s3":                                                            "needs another host: package transfer tests it",
	"POST /projects/{id}/product_analytics/request/load":                                         "needs an engine: package analytics tests it",
	"POST /projects/{id}/product_analytics/request/dry-run":                                      "needs an engine: package analytics tests it",
	"GET /projects/{id}/product_analytics/request/meta":                                          "needs an engine: package analytics tests it",
	"POST /projects/{id}/product_analytics/request/meta":                                         "needs an engine: package analytics tests it",
	"GET /jobs/{id}/artifacts":                                                                   "needs a job that runs: package ci tests it",
}

// Every route must have a 2xx answer, or a 302, in some transcript. Only recorded answers have been
// reviewed, and a route that only refuses may not work at all.
func TestEveryRouteIsRecorded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/api/testdata/*.txt")
	require.NoError(t, err)
	own, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	request := regexp.MustCompile(`(?m)^>>? \S+ ([A-Z]+) ([^\s?]+).*\n(?:2\d\d|302)\n`)
	succeeded := map[string][]string{} // method → paths that were answered 2xx
	for _, f := range append(files, own...) {
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range request.FindAllStringSubmatch(string(src), -1) {
			succeeded[m[1]] = append(succeeded[m[1]], m[2])
		}
	}
	routes, err := os.ReadFile("testdata/routes.txt")
	require.NoError(t, err)
	rest, variable := regexp.MustCompile(`\\\{\w+\\\.\\\.\\\.\\\}`), regexp.MustCompile(`\\\{[^}]+\\\}`)
	var known []string
	for line := range strings.Lines(string(routes)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "/") {
			continue
		}
		path := rest.ReplaceAllString(regexp.QuoteMeta(fields[1]), ".+")
		pattern := regexp.MustCompile("^" + variable.ReplaceAllString(path, "[^/]+") + "$")
		route := fields[0] + " " + fields[1]
		known = append(known, route)
		succeeds := slices.ContainsFunc(succeeded[fields[0]], pattern.MatchString)
		assert.NotEqual(t, elsewhere[route] != "", succeeds,
			"%s: a transcript has to have a 2xx, or elsewhere says why none can, and not both", route)
	}
	for route := range elsewhere {
		assert.Contains(t, known, route, "there is no such route")
	}
}
