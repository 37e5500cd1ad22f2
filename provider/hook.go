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
func groupHook() Kind   { return hook(inGroup, hookEvents(), groupHookEvents()) }
func projectHook() Kind { return hook(inProject, hookEvents()) }

func hook(in holder, events ...[]Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_hook",
			Doc: "A webhook of a " + in.name + ". " +
				"It is identified by its name if that is set, otherwise by its url.",
			Collection: in.path("hooks"),
			Match:      schema.ByKey("name", "url").OnTwins(schema.Lowest),
			Need:       in.need,
			Gated:      in == inGroup, // needs a license
		},
		Table: Join([]Attr{
			in.ref(),
		}, hookTarget(), hookFilter(), hookVariables(), hookHeaders(), Join(events...), []Attr{
			ID(),
			String("alert_status", "Whether the host triggers the webhook: `executable`, or after failures "+
				"`temporarily_disabled` or `disabled`.", Computed),
			String("created_at", "The time of creation.", Computed),
		}),
		API: REST{Reads: []string{"custom_headers", "url_variables"}, AfterWrite: removePairs},
	}
}

// systemHook is a webhook of the instance (gaps §15).
func systemHook() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "system_hook",
			Doc: "A webhook of the instance. It gets what happens to all groups, projects, members, users and keys, " +
				"and the events that it selects. It is identified by its name if that is set, otherwise by its url.",
			Collection: "hooks",
			Match:      schema.ByKey("name", "url").OnTwins(schema.Lowest),
			Need:       theInstance.need,
		},
		Table: Join(hookTarget(), hookVariables(), []Attr{
			Bool("push_events", "Whether pushes to branches trigger it.", Default(false)),
			Bool("tag_push_events", "Whether creating and deleting tags triggers it.", Default(false)),
			Bool("merge_requests_events", "Whether merge requests trigger it.", Default(false)),
			Bool("repository_update_events", "Whether a push triggers it once, however many refs it changes.",
				Default(true)),
			ID(),
			String("created_at", "The time of creation.", Computed),
		}),
		API: REST{Reads: []string{"url_variables"}, AfterWrite: removePairs},
	}
}

// hookTarget are the rows for where a hook sends to and what it sends along. Hosts drop
// the token and headers when the URL moves to another host, and a URL variable can hold
// the host's name, so they are sent again with both.
func hookTarget() []Attr {
	return []Attr{
		String("url", "The URL to post to. A {name} in it is replaced from url_variables. Credentials in it are sent, "+
			"but not compared.",
			Required, AlwaysSent, Norm(normURL,
				"The case of the host and the default port of the scheme do not matter."),
			ShowAs(normURL), Check(AbsoluteURL), MaxLength(2048)),
		String("name", "The name of the webhook. It distinguishes webhooks with the same url.", MaxLength(255),
			Default("")),
		String("description", "A description of the webhook.", MaxLength(2048), Default("")),
		String("token", "The secret token that is sent along, so that the receiver can verify the host.",
			Secret, SentWith("url", "url_variables"), Default(""),
			Accepts("Up to 2048 bytes without control characters.", checkString(catalogue.CheckHookToken))),
		Bool("enable_ssl_verification", "Whether the receiver's certificate is verified.", Default(true),
			OpensIf(false)),
	}
}

// hookFilter are the rows for which pushes are sent, and in which form all events are.
func hookFilter() []Attr {
	return []Attr{
		String("push_events_branch_filter",
			"The branches whose push events are sent, as branch_filter_strategy defines. Empty is all.", Default("")),
		String("branch_filter_strategy",
			"How push_events_branch_filter is interpreted: wildcard, regex or all_branches.",
			OneOf("wildcard", "regex", "all_branches"), Default("wildcard")),
		String("custom_webhook_template",
			"The body to post, with {{fields}} of the event. Empty posts the default body.",
			MaxLength(4096), Check(checkString(catalogue.CheckHookTemplate)), Default("")),
	}
}

func hookVariables() []Attr {
	return []Attr{
		SecretMap("url_variables", "Secret parts of the url, by name.",
			pairsUpTo(catalogue.MostHookVariables,
				"with names of letters, digits, _, - and ., and values of up to 2048 bytes.",
				catalogue.CheckHookVariable),
			SentWith("url"), Encode(encodePairs)),
	}
}

func hookHeaders() []Attr {
	return []Attr{
		SecretMap("custom_headers", "Secret headers to send along, by name.",
			pairsUpTo(catalogue.MostHookHeaders,
				"with names of letters, digits and -, and values of up to 2048 bytes without control characters. "+
					"Headers of the transport, such as Content-Length, are set by the host.",
				catalogue.CheckHookHeader),
			SentWith("url", "url_variables"), Encode(encodePairs)),
	}
}

// hookEvents are the events of all hooks.
func hookEvents() []Attr {
	return []Attr{
		Bool("push_events", "Whether pushes to branches trigger it.", Default(true)),
		Bool("tag_push_events", "Whether creating and deleting tags triggers it.", Default(false)),
		Bool("issues_events", "Whether issues trigger it.", Default(false)),
		Bool("confidential_issues_events", "Whether confidential issues trigger it.", Default(false)),
		Bool("merge_requests_events", "Whether merge requests trigger it.", Default(false)),
		Bool("note_events", "Whether comments trigger it.", Default(false)),
		Bool("confidential_note_events", "Whether internal comments and those on confidential issues trigger it.",
			Default(false)),
		Bool("job_events", "Whether jobs trigger it.", Default(false)),
		Bool("pipeline_events", "Whether pipelines trigger it.", Default(false)),
		Bool("wiki_page_events", "Whether wiki pages trigger it.", Default(false)),
		Bool("deployment_events", "Whether deployments trigger it.", Default(false)),
		Bool("feature_flag_events", "Whether feature flags trigger it.", Default(false)),
		Bool("releases_events", "Whether releases trigger it.", Default(false)),
		Bool("milestone_events", "Whether milestones trigger it.", Default(false)),
		Bool("emoji_events", "Whether emoji reactions trigger it.", Default(false)),
		Bool("resource_access_token_events", "Whether access tokens that expire soon trigger it.", Default(false)),
		Bool("vulnerability_events", "Whether vulnerabilities trigger it.", Default(false)),
	}
}

// groupHookEvents are the further events of group hooks.
func groupHookEvents() []Attr {
	return []Attr{
		Bool("subgroup_events", "Whether creating and deleting subgroups triggers it.", Default(false)),
		Bool("project_events", "Whether creating and deleting projects triggers it.", Default(false)),
		Bool("member_events", "Whether changes of members trigger it.", Default(false)),
		Bool("service_access_tokens_expiration_enforced",
			"Whether the enforced expiration of service account tokens triggers it.", Default(false)),
	}
}

// encodePairs encodes hook variables and headers as [{key, value}], in the order of
// keys.
func encodePairs(v cty.Value) any {
	list := []map[string]string{}
	if v.IsNull() {
		return list
	}
	for key, value := range v.Elements() {
		list = append(list, map[string]string{"key": key.AsString(), "value": value.AsString()})
	}
	return list
}

// removePairs deletes headers and variables that are no longer wanted: an update merges
// the sent ones into the existing ones (gaps §4.4).
func removePairs(ctx context.Context, w *Write, answer Record) error {
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
			at := client.To(w.kind.API.Item+"/"+name+"/{key}", append(hookPath(w.Now()), key)...)
			if _, err := w.Client().Delete(ctx, at, nil, nil); err != nil && !client.IsNotFound(err) {
				return w.Explain(err)
			}
		}
	}
	return nil
}

// hookPath returns the values of the path of a hook: the owner, if it has one, and the
// id.
func hookPath(o schema.Object) []any {
	if owner := o.Kind.Owner(); owner != nil {
		return []any{pathVariable(o, owner.Name), o.ID}
	}
	return []any{o.ID}
}

// pairKeys returns the sorted keys of [{key}, …].
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
