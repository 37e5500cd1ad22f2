package provider

import (
	"context"
	"fmt"

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

func hook(in holder, events ...[]Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_hook",
			Doc: "A webhook of a " + in.name + ": a URL that is told what happens. " +
				"It is recognised by its name if that is stated, else by its url.",
			Collection: in.path("hooks"),
			Match:      schema.ByKey("name", "url").OnTwins(schema.Lowest),
			Need:       in.need,
			Gated:      in == inGroup, // by a licence
		},
		Table: Join([]Attr{
			in.ref(),
		}, hookTarget, Join(events...), []Attr{
			ID(),
			String("alert_status", "Whether the host delivers to it: `executable`, or after failures `temporarily_disabled` or `disabled`.", Computed),
			String("created_at", "When it was created.", Computed),
		}),
		API: REST{Reads: []string{"custom_headers", "url_variables"}, AfterWrite: settleHook},
	}
}

// hookTarget says where a hook leads and what is sent along. What is meant for
// one host is forgotten when the hook moves to another, and a variable may be the
// name of the host: hence with.
var hookTarget = []Attr{
	String("url", "Where to post. A {name} in it is filled in from url_variables. Credentials in it are sent, not compared.",
		Required, AlwaysSent, Norm(cleanURL, "Upper and lower case of the host do not count, nor does the scheme's usual port."),
		ShowAs(cleanURL), Check(AbsoluteURL), MaxLength(2048)),
	String("name", "What the hook is called. It tells hooks with one url apart.", MaxLength(255), Default("")),
	String("description", "What the hook is for.", MaxLength(2048), Default("")),
	String("token", "The secret sent along, by which the receiver knows the host.",
		Secret, SentWith("url", "url_variables"), Default(""),
		Accepts("Up to 2048 bytes without control characters.", asText(catalogue.CheckHookToken))),
	Bool("enable_ssl_verification", "The receiver's certificate is verified.", Default(true)),
	String("push_events_branch_filter", "The branches whose pushes are told, read as branch_filter_strategy says; empty is all.", Default("")),
	String("branch_filter_strategy", "How the branch filter is read: wildcard, regex or all_branches.",
		OneOf("wildcard", "regex", "all_branches"), Default("wildcard")),
	String("custom_webhook_template", "The body to post, with {{fields}} of the event; empty posts the usual one.",
		MaxLength(4096), Check(asText(catalogue.CheckHookTemplate)), Default("")),
	SecretMap("url_variables", "Secret parts of the url by name.",
		pairsOf(catalogue.MostHookVariables, "with names of letters, digits, _, - and ., and values of up to 2048 bytes.", catalogue.CheckHookVariable),
		SentWith("url"), Encode(pairs)),
	SecretMap("custom_headers", "Secret headers sent along, by name.",
		pairsOf(catalogue.MostHookHeaders, "with names of letters, digits and -, and values of up to 2048 bytes without control characters. "+
			"Those that say how a request travels, such as Content-Length, are set by the host.", catalogue.CheckHookHeader),
		SentWith("url", "url_variables"), Encode(pairs)),
}

// hookEvents are what every hook may be told of.
var hookEvents = []Attr{
	Bool("push_events", "Is told of pushes to branches.", Default(true)),
	Bool("tag_push_events", "Is told of tags made and deleted.", Default(false)),
	Bool("issues_events", "Is told of issues.", Default(false)),
	Bool("confidential_issues_events", "Is told of confidential issues.", Default(false)),
	Bool("merge_requests_events", "Is told of merge requests.", Default(false)),
	Bool("note_events", "Is told of comments.", Default(false)),
	Bool("confidential_note_events", "Is told of comments on confidential issues, and internal ones.", Default(false)),
	Bool("job_events", "Is told of jobs.", Default(false)),
	Bool("pipeline_events", "Is told of pipelines.", Default(false)),
	Bool("wiki_page_events", "Is told of wiki pages.", Default(false)),
	Bool("deployment_events", "Is told of deployments.", Default(false)),
	Bool("feature_flag_events", "Is told of feature flags.", Default(false)),
	Bool("releases_events", "Is told of releases.", Default(false)),
	Bool("milestone_events", "Is told of milestones.", Default(false)),
	Bool("emoji_events", "Is told of reactions.", Default(false)),
	Bool("resource_access_token_events", "Is told of access tokens that expire soon.", Default(false)),
	Bool("vulnerability_events", "Is told of vulnerabilities.", Default(false)),
}

// groupHookEvents are what only those of groups may be told of.
var groupHookEvents = []Attr{
	Bool("subgroup_events", "Is told of subgroups made and deleted.", Default(false)),
	Bool("project_events", "Is told of projects made and deleted.", Default(false)),
	Bool("member_events", "Is told of members.", Default(false)),
	Bool("service_access_tokens_expiration_enforced", "Is told of tokens of service accounts that have to expire.", Default(false)),
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
func settleHook(ctx context.Context, w *Write, answer Record) error {
	for _, name := range []string{"url_variables", "custom_headers"} {
		if !w.Sent(name) {
			continue
		}
		there, err := pairKeys(answer[name])
		if err != nil {
			return fmt.Errorf("%s of the hook: %w", name, err)
		}
		wanted, _ := w.Want().Get(name).UnmarkDeep()
		for _, key := range there {
			if !wanted.IsNull() && wanted.HasIndex(cty.StringVal(key)).True() {
				continue
			}
			at := client.To(w.kind.API.Item+"/"+name+"/{key}", pathVariable(w.Now(), w.kind.Owner().Name), w.Now().ID, key)
			if _, err := w.Client().Delete(ctx, at, nil, nil); err != nil && !client.IsNotFound(err) {
				return w.Explain(err)
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
