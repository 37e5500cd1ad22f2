package provider

import (
	"context"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
	"hew/schema/catalogue"
)

// Webhooks of groups and of projects (spec 2 §2.9, gaps §3.3 and §4.4).
var (
	groupHook   = hook(inGroup, hookEvents, groupHookEvents)
	projectHook = hook(inProject, hookEvents)
)

func hook(in holder, events ...[]attr) kind {
	return kind{
		Kind: schema.Kind{
			Name: in.name + "_hook",
			Doc: "A webhook of a " + in.name + ": a URL that is told what happens. " +
				"It is recognised by its name if that is stated, else by its url.",
			Collection: in.path("hooks"),
			Match:      schema.ByKey("name", "url").OnTwins(schema.Lowest),
			Need:       in.need,
		},
		Table: join([]attr{
			in.ref(),
		}, hookTarget, join(events...), []attr{
			id(),
			text("alert_status", "Whether the host delivers to it: `executable`, or after failures `temporarily_disabled` or `disabled`.", computed),
			text("created_at", "When it was created.", computed),
		}),
		API: rest{Reads: []string{"custom_headers", "url_variables"}, Settle: settleHook},
	}
}

// hookTarget says where a hook leads and what is sent along. What is meant for
// one host is forgotten when the hook moves to another, and a variable may be the
// name of the host: hence with.
var hookTarget = []attr{
	text("url", "Where to post. A {name} in it is filled in from url_variables. Credentials in it are sent, not compared.",
		required, always, norm(cleanURL, "Upper and lower case of the host do not count, nor does the scheme's usual port."),
		shown(cleanURL), check(absoluteURL), atMost(2048)),
	text("name", "What the hook is called. It tells hooks with one url apart.", atMost(255), def("")),
	text("description", "What the hook is for.", atMost(2048), def("")),
	text("token", "The secret sent along, by which the receiver knows the host.",
		secret, with("url", "url_variables"), def(""),
		bounded("Up to 2048 bytes without control characters.", asText(catalogue.CheckHookToken))),
	boolean("enable_ssl_verification", "The receiver's certificate is verified.", def(true)),
	text("push_events_branch_filter", "The branches whose pushes are told, read as branch_filter_strategy says; empty is all.", def("")),
	text("branch_filter_strategy", "How the branch filter is read: wildcard, regex or all_branches.",
		oneOf("wildcard", "regex", "all_branches"), def("wildcard")),
	text("custom_webhook_template", "The body to post, with {{fields}} of the event; empty posts the usual one.",
		atMost(4096), check(asText(catalogue.CheckHookTemplate)), def("")),
	secrets("url_variables", "Secret parts of the url by name.",
		pairsOf(catalogue.MostHookVariables, "with names of letters, digits, _, - and ., and values of up to 2048 bytes.", catalogue.CheckHookVariable),
		with("url"), sent(pairs)),
	secrets("custom_headers", "Secret headers sent along, by name.",
		pairsOf(catalogue.MostHookHeaders, "with names of letters, digits and -, and values of up to 2048 bytes without control characters. "+
			"Those that say how a request travels, such as Content-Length, are set by the host.", catalogue.CheckHookHeader),
		with("url", "url_variables"), sent(pairs)),
}

// hookEvents are what every hook may be told of.
var hookEvents = []attr{
	boolean("push_events", "Is told of pushes to branches.", def(true)),
	boolean("tag_push_events", "Is told of tags made and deleted.", def(false)),
	boolean("issues_events", "Is told of issues.", def(false)),
	boolean("confidential_issues_events", "Is told of confidential issues.", def(false)),
	boolean("merge_requests_events", "Is told of merge requests.", def(false)),
	boolean("note_events", "Is told of comments.", def(false)),
	boolean("confidential_note_events", "Is told of comments on confidential issues, and internal ones.", def(false)),
	boolean("job_events", "Is told of jobs.", def(false)),
	boolean("pipeline_events", "Is told of pipelines.", def(false)),
	boolean("wiki_page_events", "Is told of wiki pages.", def(false)),
	boolean("deployment_events", "Is told of deployments.", def(false)),
	boolean("feature_flag_events", "Is told of feature flags.", def(false)),
	boolean("releases_events", "Is told of releases.", def(false)),
	boolean("milestone_events", "Is told of milestones.", def(false)),
	boolean("emoji_events", "Is told of reactions.", def(false)),
	boolean("resource_access_token_events", "Is told of access tokens that expire soon.", def(false)),
	boolean("vulnerability_events", "Is told of vulnerabilities.", def(false)),
}

// groupHookEvents are what only those of groups may be told of.
var groupHookEvents = []attr{
	boolean("subgroup_events", "Is told of subgroups made and deleted.", def(false)),
	boolean("project_events", "Is told of projects made and deleted.", def(false)),
	boolean("member_events", "Is told of members.", def(false)),
	boolean("service_access_tokens_expiration_enforced", "Is told of tokens of service accounts that have to expire.", def(false)),
}

// pairs is how hook variables and headers travel: [{key, value}], by key.
func pairs(v cty.Value) any {
	list := []map[string]string{}
	if v.IsNull() {
		return list
	}
	for key, value := range v.Elements() {
		list = append(list, map[string]string{"key": key.AsString(), "value": value.AsString()})
	}
	return list
}

// settleHook removes headers and variables that are no longer wanted: an
// update merges them into those there are (gaps §4.4).
func settleHook(ctx context.Context, w *write, answer record) error {
	for _, name := range []string{"url_variables", "custom_headers"} {
		if !slices.ContainsFunc(w.sent, func(a *attr) bool { return a.Name == name }) {
			continue
		}
		there, err := pairKeys(answer[name])
		if err != nil {
			return fmt.Errorf("%s of the hook: %w", name, err)
		}
		wanted, _ := w.want.Get(name).UnmarkDeep()
		for _, key := range there {
			if !wanted.IsNull() && wanted.HasIndex(cty.StringVal(key)).True() {
				continue
			}
			at := client.To(w.kind.API.Item+"/"+name+"/{key}", pathVariable(w.now, w.kind.Owner().Name), w.now.ID, key)
			if _, err := w.p.client.Delete(ctx, at, nil, nil); err != nil && !client.IsNotFound(err) {
				return needing(w.kind, err)
			}
		}
	}
	return nil
}

// pairKeys are the keys of [{key}, …], sorted.
func pairKeys(raw []byte) ([]string, error) {
	v, err := fromJSON(raw, cty.List(cty.Object(map[string]cty.Type{"key": cty.String})))
	if err != nil || v.IsNull() {
		return nil, err
	}
	set := map[string]bool{}
	for _, pair := range v.AsValueSlice() {
		set[pair.GetAttr("key").AsString()] = true
	}
	return keys(set), nil
}
