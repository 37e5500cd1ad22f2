package send

import (
	"context"
	"encoding/xml"
	"net/url"
	"strings"

	"hew/server/outbound"
)

// The build servers. They get the body of the hook, or an order to build.

// relay returns a request with the body of the hook and its header.
func relay(e Event, address string, header ...outbound.Field) Request {
	return raw(address, "application/json", e.Body,
		append([]outbound.Field{{Name: "X-Gitlab-Event", Value: e.Header}}, header...)...)
}

// once calls with one request.
func once(ctx context.Context, call Call, r Request) error {
	_, err := call(ctx, r)
	return err
}

func jenkins(ctx context.Context, e Event, s Settings, call Call) error {
	r := relay(e, s.address("jenkins_url", "")+"/project/"+escapePath(s.text("project_name")),
		basic(s.text("username"), s.text("password"))...)
	r.Insecure = s.insecure()
	return once(ctx, call, r)
}

// teamcity orders a build of the branch that was pushed, or that is to be merged.
func teamcity(ctx context.Context, e Event, s Settings, call Call) error {
	branch := e.Branch
	if e.Kind == MergeRequests {
		branch = e.Object.SourceBranch
	}
	if !e.brings() {
		return nil
	}
	type buildType struct {
		ID string `xml:"id,attr"`
	}
	order, err := xml.Marshal(struct {
		XMLName xml.Name  `xml:"build"`
		Branch  string    `xml:"branchName,attr"`
		Type    buildType `xml:"buildType"`
	}{Branch: branch, Type: buildType{s.text("build_type")}})
	if err != nil {
		return err
	}
	r := raw(s.address("teamcity_url", "")+"/httpAuth/app/rest/buildQueue", "application/xml", order,
		basic(s.text("username"), s.text("password"))...)
	r.Insecure = s.insecure()
	return once(ctx, call, r)
}

func bamboo(ctx context.Context, e Event, s Settings, call Call) error {
	if !e.brings() {
		return nil
	}
	address := withQuery(s.address("bamboo_url", "")+"/updateAndBuild.action", "buildKey", s.text("build_key"))
	r := raw(withQuery(address, "os_authType", "basic"), "application/json", nil,
		basic(s.text("username"), s.text("password"))...)
	r.Insecure = s.insecure()
	return once(ctx, call, r)
}

func drone(ctx context.Context, e Event, s Settings, call Call) error {
	if !e.brings() {
		return nil
	}
	namespace, name := "", e.Project.Path
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		namespace, name = name[:i], name[i+1:]
	}
	address := withQuery(withQuery(s.address("drone_url", "")+"/hook", "owner", namespace), "name", name)
	r := relay(e, address, outbound.Field{Name: "X-Gitlab-Token", Value: s.text("token")})
	r.Insecure = s.insecure()
	return once(ctx, call, r)
}

// buildkite takes its token in the address alone: the part before the colon, if there is one.
func buildkite(ctx context.Context, e Event, s Settings, call Call) error {
	token, _, _ := strings.Cut(s.text("token"), ":")
	return once(ctx, call, relay(e, "https://webhook.buildkite.com/deliver/"+url.PathEscape(token)))
}

func mockCI(ctx context.Context, e Event, s Settings, call Call) error {
	r := relay(e, s.address("mock_service_url", ""))
	r.Insecure = s.insecure()
	return once(ctx, call, r)
}

func packagist(ctx context.Context, e Event, s Settings, call Call) error {
	return once(ctx, call, relay(e, s.address("server", "https://packagist.org")+"/api/update-package",
		bearer(s.text("username")+":"+s.text("token"))...))
}

var datadogKinds = []string{PushEvents, TagPushEvents, NoteEvents, MergeRequests, PipelineEvents, JobEvents}

// datadog gets pipelines and jobs unless that is switched off, and whatever else its flags select.
func datadog(ctx context.Context, e Event, s Settings, call Call) error {
	if (e.Kind == PipelineEvents || e.Kind == JobEvents) && s["datadog_ci_visibility"] == false {
		return nil
	}
	site := s.text("datadog_site")
	if site == "" {
		site = "datadoghq.com"
	}
	address := s.address("api_url", "https://webhook-intake."+site+"/api/v2/webhook")
	for _, name := range []string{"env", "service"} {
		if value := s.text("datadog_" + name); value != "" {
			address = withQuery(address, name, value)
		}
	}
	if tags := strings.Fields(s.text("datadog_tags")); len(tags) > 0 {
		address = withQuery(address, "tags", strings.Join(tags, ","))
	}
	return once(ctx, call, relay(e, address, outbound.Field{Name: "DD-API-KEY", Value: s.text("api_key")}))
}

// squash gets the bodies of issues.
func squash(ctx context.Context, e Event, s Settings, call Call) error {
	var header []outbound.Field
	if token := s.text("token"); token != "" {
		header = append(header, outbound.Field{Name: "X-Gitlab-Token", Value: token})
	}
	return once(ctx, call, relay(e, s.text("url"), header...))
}

// states are the statuses that GitHub knows, by those of pipelines.
var states = map[string]string{
	"success": "success", "failed": "failure", "canceled": "error", "created": "pending", "pending": "pending",
	"running": "pending", "manual": "success", "skipped": "success",
}

// github sets the status of the commit of a pipeline.
func github(ctx context.Context, e Event, s Settings, call Call) error {
	u, err := url.Parse(s.text("repository_url"))
	state := states[e.Object.Status]
	if err != nil || state == "" {
		return err
	}
	api := u.Scheme + "://" + u.Host + "/api/v3"
	if u.Host == "github.com" {
		api = "https://api.github.com"
	}
	name := "ci/gitlab/" + e.Object.Ref
	if base, err := url.Parse(e.Base); err == nil && s["static_context"] != false {
		name = "ci/gitlab/" + base.Hostname()
	}
	page := e.Project.WebURL + "/-/pipelines/" + id(e.Object.ID)
	address := api + "/repos" + strings.TrimSuffix(u.EscapedPath(), ".git") + "/statuses/" + e.Object.SHA
	return once(ctx, call, post(address, object{
		"state": state, "target_url": page, "context": name, "description": "Pipeline " + e.Object.Status,
	}, bearer(s.text("token"))...))
}

// brings reports whether there is something to build: a branch or tag, or a merge request that was
// opened or got new commits.
func (e Event) brings() bool {
	if e.Kind == MergeRequests {
		o := e.Object
		return o.Action == "open" || o.Action == "reopen" || o.Action == "update" && o.OldRev != ""
	}
	return !e.deletes()
}
