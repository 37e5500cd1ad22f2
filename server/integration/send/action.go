package send

import (
	"context"
	"maps"
	"slices"

	"hew/server/outbound"
)

// Class says what hewd does for an integration that is set up.
type Class string

// The classes. They are those of the catalogue.
const (
	Sends    Class = "sends"         // it tells the service of events
	Triggers Class = "build trigger" // it has the service build what was pushed
	Links    Class = "link only"     // it keeps the settings, for links, CI jobs and answers; it sends nothing
	Refused  Class = "refused"       // this instance cannot be connected
)

// Request is a request of an action to a service, or a mail.
type Request struct {
	outbound.Request
	Insecure bool // accept any certificate
	Reads    bool // it changes nothing, so it may be repeated

	TCP  string // host:port: the body is written to a connection, and nothing is read
	Mail *Mail
}

// Mail is a mail to addresses.
type Mail struct {
	To      []string
	Subject string
	Title   string
	URL     string
	Author  string
	Text    string
	Key     string // of the thread that it belongs to
}

// Call sends a request. It returns an error unless the service accepts it. What the service
// answers is cut off after MaxAnswer bytes.
type Call func(context.Context, Request) (outbound.Answer, error)

// act tells a service of an event.
type act func(context.Context, Event, Settings, Call) error

// Action is what hewd does for an integration.
type Action struct {
	Class Class
	kinds map[string]string // of events it acts on: the flag by which they are switched off
	act   act
}

// Kinds returns the kinds of events that the action is for, in order.
func (a Action) Kinds() []string { return slices.Sorted(maps.Keys(a.kinds)) }

// Flag returns the flag of the integration that switches a kind off, or an empty text if the action
// is not for the kind.
func (a Action) Flag(kind string) string { return a.kinds[kind] }

// Run tells the service of an event. It sends nothing if the settings do not select the event.
func (a Action) Run(ctx context.Context, e Event, s Settings, call Call) error {
	if a.act == nil || a.kinds[e.Kind] == "" || !e.Sample && !s.selects(e) {
		return nil
	}
	return a.act(ctx, e, s, call)
}

// Of returns the action of an integration.
func Of(slug string) Action { return actions[slug] }

// All returns the integrations that the table has a row for, in order.
func All() []string { return slices.Sorted(maps.Keys(actions)) }

// Slugs returns the integrations that act on a kind of event.
func Slugs(kind string) (slugs []string) {
	for slug, a := range actions {
		if a.kinds[kind] != "" {
			slugs = append(slugs, slug)
		}
	}
	slices.Sort(slugs)
	return slugs
}

// actions has a row for every integration of the catalogue.
var actions = map[string]Action{
	"apple-app-store":          linksOnly,
	"asana":                    sends(commits(asana), PushEvents),
	"assembla":                 sends(assembla, PushEvents),
	"bamboo":                   triggers(bamboo, PushEvents),
	"bugzilla":                 linksOnly,
	"buildkite":                triggers(buildkite, PushEvents, TagPushEvents, MergeRequests),
	"campfire":                 sends(campfire, PushEvents),
	"clickup":                  linksOnly,
	"confluence":               linksOnly,
	"custom-issue-tracker":     linksOnly,
	"datadog":                  sends(datadog, datadogKinds...),
	"diffblue-cover":           linksOnly,
	"discord":                  sends(chat(discord), chatKinds(DeploymentEvents)...),
	"drone-ci":                 triggers(drone, PushEvents, TagPushEvents, MergeRequests),
	"emails-on-push":           sends(emailsOnPush, PushEvents, TagPushEvents),
	"ewm":                      linksOnly,
	"external-wiki":            linksOnly,
	"git-guardian":             linksOnly,
	"github":                   sends(github, PipelineEvents),
	"gitlab-slack-application": {Class: Refused},
	"google-cloud-platform-artifact-registry":            linksOnly,
	"google-cloud-platform-workload-identity-federation": linksOnly,
	"google-play":               linksOnly,
	"hangouts-chat":             sends(chat(hangouts), chatKinds()...),
	"harbor":                    linksOnly,
	"irker":                     sends(irker, PushEvents),
	"jenkins":                   triggers(jenkins, PushEvents, TagPushEvents, MergeRequests),
	"jira":                      jiraAction,
	"jira-cloud-app":            linksOnly,
	"linear":                    linksOnly,
	"matrix":                    sends(chat(matrix), chatKinds()...),
	"mattermost":                sends(slack, chatKinds(DeploymentEvents)...),
	"mattermost-slash-commands": linksOnly,
	"microsoft-teams":           sends(chat(teams), chatKinds()...),
	"mock-ci":                   triggers(mockCI, PushEvents),
	"mock-monitoring":           linksOnly,
	"packagist":                 triggers(packagist, PushEvents, TagPushEvents, MergeRequests),
	"phorge":                    linksOnly,
	"pipelines-email":           sends(pipelinesEmail, PipelineEvents),
	"pivotaltracker":            sends(commits(pivotal), PushEvents),
	"pumble":                    sends(chat(pumble), chatKinds()...),
	"pushover":                  sends(chat(pushover), PushEvents),
	"redmine":                   linksOnly,
	"slack":                     sends(slack, chatKinds(DeploymentEvents, AlertEvents)...),
	"slack-slash-commands":      linksOnly,
	"squash-tm":                 sends(squash, IssuesEvents, ConfidentialIssues),
	"teamcity":                  triggers(teamcity, PushEvents, MergeRequests),
	"telegram":                  sends(chat(telegram), chatKinds()...),
	"unify-circuit":             sends(chat(unify), chatKinds()...),
	"webex-teams":               sends(chat(webex), chatKinds()...),
	"youtrack":                  linksOnly,
	"zentao":                    linksOnly,
}

var linksOnly = Action{Class: Links}

func sends(do act, kinds ...string) Action    { return Action{Sends, ownFlags(kinds), do} }
func triggers(do act, kinds ...string) Action { return Action{Triggers, ownFlags(kinds), do} }

// ownFlags returns kinds whose flags of integrations have the names of those of hooks.
func ownFlags(kinds []string) map[string]string {
	flags := map[string]string{}
	for _, kind := range kinds {
		flags[kind] = kind
	}
	return flags
}

// chatKinds returns the kinds that all chats are told of, and more.
func chatKinds(more ...string) []string {
	return append(more, PushEvents, TagPushEvents, IssuesEvents, ConfidentialIssues, NoteEvents, ConfidentialNotes,
		MergeRequests, PipelineEvents, WikiPageEvents)
}
