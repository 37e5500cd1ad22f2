package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/jobs"
)

// hookEvent is a kind of event that hooks are told of (gaps §13.6).
type hookEvent struct {
	flag   string // which hooks are told; what a test is asked for by
	name   string // what the receiver knows it by
	beside parts  // what is told beside its own payload
	group  bool   // only groups have hooks for it
	sample sample // what a test tells; nil: there is no test
}

// hookEvents lists all kinds. The code that makes an event happen calls enqueueDeliveries with a
// payload type of its own.
var hookEvents = []hookEvent{
	{flag: "push_events", name: "Push Hook", beside: withProject | withRepository,
		sample: samplePush("push", "refs/heads/")},
	{flag: "tag_push_events", name: "Tag Push Hook", beside: withProject | withRepository,
		sample: samplePush("tag_push", "refs/tags/")},
	{flag: "issues_events", name: "Issue Hook", beside: everything, sample: sampleMissing("issues")},
	{flag: "confidential_issues_events", name: "Confidential Issue Hook", beside: everything,
		sample: sampleMissing("issues")},
	{flag: "note_events", name: "Note Hook", beside: everything, sample: sampleMissing("notes")},
	{flag: "confidential_note_events", name: "Confidential Note Hook", beside: everything},
	{flag: "merge_requests_events", name: "Merge Request Hook", beside: everything,
		sample: sampleMissing("merge requests")},
	{flag: "job_events", name: "Job Hook", beside: everything, sample: sampleMissing("CI jobs")},
	{flag: "pipeline_events", name: "Pipeline Hook", beside: withProject | withUser,
		sample: sampleMissing("CI pipelines")},
	{flag: "wiki_page_events", name: "Wiki Page Hook", beside: withProject | withUser,
		sample: sampleMissing("wiki pages")},
	{flag: "deployment_events", name: "Deployment Hook", beside: withProject | withUser},
	{flag: "feature_flag_events", name: "Feature Flag Hook", beside: withProject | withUser},
	{flag: "releases_events", name: "Release Hook", beside: withProject, sample: sampleMissing("releases")},
	{flag: "milestone_events", name: "Milestone Hook", beside: withProject | withUser,
		sample: sampleMissing("milestones")},
	{flag: "emoji_events", name: "Emoji Hook", beside: withProject | withUser, sample: sampleMissing("notes")},
	{flag: "resource_access_token_events", name: "Resource Access Token Hook", beside: withProject,
		sample: sampleToken},
	{flag: "vulnerability_events", name: "Vulnerability Hook", beside: withProject | withUser},
	{flag: "subgroup_events", name: "Subgroup Hook", group: true, sample: sampleSubgroup},
	{flag: "member_events", name: "Member Hook", group: true, sample: sampleMember},
	{flag: "project_events", name: "Project Hook", group: true, sample: sampleProject},
}

// parts are what a delivery contains beside the payload of its event, as of the time when it is
// sent.
type parts int

const (
	withProject parts = 1 << iota
	withUser
	withRepository

	everything = withProject | withUser | withRepository
)

// trigger returns the name of the event in the list of deliveries, such as push_hooks.
func (e hookEvent) trigger() string {
	return strings.ReplaceAll(strings.ToLower(e.name), " ", "_") + "s"
}

// eventWhere returns the first kind of event that meets a condition.
func eventWhere(is func(hookEvent) bool) (hookEvent, bool) {
	if i := slices.IndexFunc(hookEvents, is); i >= 0 {
		return hookEvents[i], true
	}
	return hookEvent{}, false
}

// eventOf returns the kind of event with the flag.
func eventOf(flag string) (hookEvent, bool) {
	return eventWhere(func(e hookEvent) bool { return e.flag == flag })
}

// audience is whose hooks are told of an event.
type audience struct {
	group   int64  // and those above it
	project *int64 // nil: it happens in none
	chain   string // of the deliveries that it follows from; empty: it begins one
}

// happening is an event as it happened.
type happening struct {
	flag   string // of its kind
	at     audience
	user   int64  // who did it, for the kinds that tell of a user
	branch string // where it happened; empty: on none
}

// enqueueDeliveries queues, in the transaction of an event, a delivery for each hook that is told
// of it: those of the project and of all groups above. It calls payloads only if there is such a
// hook; each payload is a delivery of its own.
func enqueueDeliveries(ctx context.Context, st *db.Store, h happening, payloads func() ([]any, error)) error {
	h.at.chain = chainOf(ctx)
	hooks, err := audienceOf(ctx, st, h.flag, h.at)
	hooks = slices.DeleteFunc(hooks, func(hook Hook) bool { return !acceptsBranch(hook, h.branch) })
	if err != nil || len(hooks) == 0 {
		return err
	}
	list, err := payloads()
	if err != nil {
		return err
	}
	var deliveries []jobs.Args
	for _, payload := range list {
		text, err := db.EncodeJSON(payload)
		if err != nil {
			return fmt.Errorf("payload of %s: %w", h.flag, err)
		}
		for _, hook := range hooks {
			d := DeliveryJob{
				Hook: hook.ID, Event: h.flag, User: h.user, Chain: h.at.chain, Key: newUUID(), Payload: text,
			}
			if h.at.project != nil {
				d.Project = *h.at.project
			}
			if d.Chain == "" {
				d.Chain = newUUID()
			}
			deliveries = append(deliveries, d)
		}
	}
	return jobs.Enqueue(ctx, st, deliveries...)
}
