package forge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hew/server/jobs"
	"hew/server/store"
)

// hookEvent is a kind of event that hooks are told of (gaps §13.6).
type hookEvent struct {
	flag   string // which hooks are told; what a test is asked for by
	name   string // what the receiver knows it by
	beside parts  // what is told beside its own payload
	group  bool   // only groups have hooks for it
	sample sample // what a test tells; nil: there is no test
}

// hookEvents is the list of them. An area that makes one happen calls tell, with a payload type of its own.
var hookEvents = []hookEvent{
	{flag: "push_events", name: "Push Hook", beside: withProject | withRepository, sample: samplePush("push", "refs/heads/")},
	{flag: "tag_push_events", name: "Tag Push Hook", beside: withProject | withRepository, sample: samplePush("tag_push", "refs/tags/")},
	{flag: "issues_events", name: "Issue Hook", beside: everything, sample: lacking("issues")},
	{flag: "confidential_issues_events", name: "Confidential Issue Hook", beside: everything, sample: lacking("issues")},
	{flag: "note_events", name: "Note Hook", beside: everything, sample: lacking("notes")},
	{flag: "confidential_note_events", name: "Confidential Note Hook", beside: everything},
	{flag: "merge_requests_events", name: "Merge Request Hook", beside: everything, sample: lacking("merge requests")},
	{flag: "job_events", name: "Job Hook", beside: everything, sample: lacking("CI jobs")},
	{flag: "pipeline_events", name: "Pipeline Hook", beside: withProject | withUser, sample: lacking("CI pipelines")},
	{flag: "wiki_page_events", name: "Wiki Page Hook", beside: withProject | withUser, sample: lacking("wiki pages")},
	{flag: "deployment_events", name: "Deployment Hook", beside: withProject | withUser},
	{flag: "feature_flag_events", name: "Feature Flag Hook", beside: withProject | withUser},
	{flag: "releases_events", name: "Release Hook", beside: withProject, sample: lacking("releases")},
	{flag: "milestone_events", name: "Milestone Hook", beside: withProject | withUser, sample: lacking("milestones")},
	{flag: "emoji_events", name: "Emoji Hook", beside: withProject | withUser, sample: lacking("notes")},
	{flag: "resource_access_token_events", name: "Resource Access Token Hook", beside: withProject, sample: sampleToken},
	{flag: "vulnerability_events", name: "Vulnerability Hook", beside: withProject | withUser},
	{flag: "subgroup_events", name: "Subgroup Hook", group: true, sample: sampleSubgroup},
	{flag: "member_events", name: "Member Hook", group: true, sample: sampleMember},
	{flag: "project_events", name: "Project Hook", group: true, sample: sampleProject},
}

// parts are what is told of an event beside its own payload, as it is when that is sent.
type parts int

const (
	withProject parts = 1 << iota
	withUser
	withRepository

	everything = withProject | withUser | withRepository
)

// trigger is what an event is called in the list of deliveries: push_hooks.
func (e hookEvent) trigger() string {
	return strings.ReplaceAll(strings.ToLower(e.name), " ", "_") + "s"
}

// eventWhere finds the kind of event that a condition holds for.
func eventWhere(is func(hookEvent) bool) (hookEvent, bool) {
	if i := slices.IndexFunc(hookEvents, is); i >= 0 {
		return hookEvents[i], true
	}
	return hookEvent{}, false
}

// eventOf is the kind with a flag.
func eventOf(flag string) (hookEvent, bool) {
	return eventWhere(func(e hookEvent) bool { return e.flag == flag })
}

// happening is something that happened.
type happening struct {
	flag   string // what kind of event it is
	at     store.Audience
	user   int64  // who did it, for the kinds that tell of him
	branch string // on which it happened; empty: on none
}

// tell queues, with the transaction of what happened, a delivery for every hook that is to know of it: of the project, and
// of all groups around. What is told is only asked for if somebody listens; it may be several things of one kind.
func tell(ctx context.Context, st *store.Store, q *jobs.Queue, h happening, payloads func() ([]any, error)) error {
	h.at.Chain = chainOf(ctx)
	hooks, err := st.Listeners(ctx, h.flag, h.at)
	hooks = slices.DeleteFunc(hooks, func(hook store.Hook) bool { return !hears(hook, h.branch) })
	if err != nil || len(hooks) == 0 {
		return err
	}
	list, err := payloads()
	if err != nil {
		return err
	}
	var deliveries []jobs.Args
	for _, payload := range list {
		text, err := encode(payload)
		if err != nil {
			return fmt.Errorf("payload of %s: %w", h.flag, err)
		}
		for _, hook := range hooks {
			d := jobs.DeliverHook{Hook: hook.ID, Event: h.flag, User: h.user, Chain: h.at.Chain, Key: newUUID(), Payload: text}
			if h.at.Project != nil {
				d.Project = *h.at.Project
			}
			if d.Chain == "" {
				d.Chain = newUUID()
			}
			deliveries = append(deliveries, d)
		}
	}
	return q.Enqueue(ctx, st, deliveries...)
}

type chainKey struct{}

// ChainHeader is what a delivery names its chain by, and what a receiver hands on with what it asks for in turn.
const ChainHeader = "X-Gitlab-Event-UUID"

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// InChain makes what happens within the context a consequence of a delivery. Anything but a uuid is none.
func InChain(ctx context.Context, uuid string) context.Context {
	if uuid = strings.ToLower(uuid); !uuidForm.MatchString(uuid) {
		return ctx
	}
	return context.WithValue(ctx, chainKey{}, uuid)
}

func chainOf(ctx context.Context) string {
	uuid, _ := ctx.Value(chainKey{}).(string)
	return uuid
}

// newUUID is a random one (version 4).
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, see its documentation
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// encode is JSON as it is sent: < and & as they are.
func encode(v any) (json.RawMessage, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return json.RawMessage(strings.TrimSuffix(text.String(), "\n")), err
}
