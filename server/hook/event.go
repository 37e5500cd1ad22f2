package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"hew/server/db"
	"hew/server/jobs"
)

// hookEvent is a kind of event that is sent to hooks (gaps §13.6).
type hookEvent struct {
	flag   string // of the hooks that want it; also the trigger of a test
	wanted string // for system hooks: the flag of those that want it; empty: all do
	name   string // in the header of a delivery, unless it is systemHeader
	beside extras // what a delivery adds to the payload
	only   string // groupOnly: only hooks of groups have the flag; instanceOnly: only system hooks get it
	sample sample // the payload of a test; nil: there is no test
}

// What hooks a kind of event can be limited to. Other kinds are those of groups and projects.
const (
	groupOnly    = "group"
	instanceOnly = "instance"
)

// SystemEvent stands for all that is sent to every system hook, whatever its flags.
const SystemEvent = "system_events"

// systemHeader is the name of all events of system hooks in the header of a delivery.
const systemHeader = "System Hook"

// hookEvents lists all kinds. A listener of a kind calls enqueueDeliveries with a payload type of
// its own.
var hookEvents = []hookEvent{
	{flag: "push_events", name: "Push Hook", beside: withProject | withRepository,
		sample: samplePush("push", "refs/heads/")},
	{flag: "tag_push_events", name: "Tag Push Hook", beside: withProject | withRepository,
		sample: samplePush("tag_push", "refs/tags/")},
	{flag: "issues_events", name: "Issue Hook", beside: everything, sample: sampleIssue(false)},
	{flag: "confidential_issues_events", name: "Confidential Issue Hook", beside: everything,
		sample: sampleIssue(true)},
	{flag: "note_events", name: "Note Hook", beside: everything, sample: sampleNote},
	{flag: "confidential_note_events", name: "Confidential Note Hook", beside: everything},
	{flag: "merge_requests_events", name: "Merge Request Hook", beside: everything,
		sample: sampleRequest},
	{flag: "job_events", name: "Job Hook", beside: everything, sample: sampleJob},
	{flag: "pipeline_events", name: "Pipeline Hook", beside: withProject | withUser,
		sample: samplePipeline},
	{flag: "wiki_page_events", name: "Wiki Page Hook", beside: withProject | withUser,
		sample: sampleWiki},
	{flag: "deployment_events", name: "Deployment Hook", beside: withProject | withUser},
	{flag: "feature_flag_events", name: "Feature Flag Hook", beside: withProject | withUser},
	{flag: "releases_events", name: "Release Hook", beside: withProject, sample: sampleRelease},
	{flag: "milestone_events", name: "Milestone Hook", beside: withProject | withUser,
		sample: sampleMilestone},
	{flag: "emoji_events", name: "Emoji Hook", beside: withProject | withUser, sample: sampleEmoji},
	{flag: "resource_access_token_events", name: "Resource Access Token Hook", beside: withProject,
		sample: sampleToken},
	{flag: "vulnerability_events", name: "Vulnerability Hook", beside: withProject | withUser},
	{flag: "subgroup_events", name: "Subgroup Hook", only: groupOnly, sample: sampleSubgroup},
	{flag: "member_events", name: "Member Hook", only: groupOnly, sample: sampleMember},
	{flag: "project_events", name: "Project Hook", only: groupOnly, sample: sampleProject},
	{flag: SystemEvent, name: systemHeader, only: instanceOnly, sample: sampleSystem},
	{flag: "system_push_events", wanted: "push_events", name: "Push Hook", beside: withProject | withRepository,
		only: instanceOnly},
	{flag: "system_tag_push_events", wanted: "tag_push_events", name: "Tag Push Hook",
		beside: withProject | withRepository, only: instanceOnly},
	{flag: "system_merge_requests_events", wanted: "merge_requests_events", name: "Merge Request Hook",
		beside: everything, only: instanceOnly},
	{flag: "system_repository_update_events", wanted: "repository_update_events", name: "Repository Update Hook",
		beside: withProject, only: instanceOnly},
}

// extras is a set of what a delivery adds to the payload of its event, read when it is sent.
type extras int

const (
	withProject extras = 1 << iota
	withUser
	withRepository

	everything = withProject | withUser | withRepository
)

// concerns reports whether hooks of a container can get the event.
func (e hookEvent) concerns(c db.Container) bool {
	if e.only == "" {
		return !isInstance(c)
	}
	return e.only == c.Kind()
}

// header returns the name of the event in the header of a delivery.
func (e hookEvent) header() string {
	if e.only == instanceOnly {
		return systemHeader
	}
	return e.name
}

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

// audience is the groups and project to whose hooks an event is sent; none for a SystemEvent.
type audience struct {
	groups  []int64 // and the groups above them, and above the project
	project *int64  // nil: the event is in no project
	chain   string  // of the deliveries that caused the event; empty: none did
}

// occurrence is one event.
type occurrence struct {
	flag   string // of its kind
	at     audience
	user   int64  // who caused it, for kinds withUser
	branch string // empty: none
	// whether the branch or tag is protected; for Raised
	protected bool
}

// payloadWithin is a payload for the hooks of some groups of the audience alone.
type payloadWithin struct {
	payload any
	groups  []int64
}

// enqueueDeliveries enqueues, in the transaction of an event, a delivery of each payload to each
// hook of the project and of all groups above that wants it, or of those of payloadWithin. It calls
// payloads only if there is such a hook, or a listener of Raised asks for them.
func enqueueDeliveries(ctx context.Context, st *db.Store, h occurrence, payloads func() ([]any, error)) error {
	payloads = sync.OnceValues(payloads)
	if err := raise(ctx, st, h, payloads); err != nil {
		return err
	}
	h.at.chain = chainOf(ctx)
	hooks, err := audienceOf(ctx, st, h.flag, h.at)
	hooks = slices.DeleteFunc(hooks, func(hook Hook) bool {
		return h.flag == "push_events" && !acceptsBranch(hook, h.branch)
	})
	if err != nil || len(hooks) == 0 {
		return err
	}
	list, err := payloads()
	if err != nil {
		return err
	}
	var deliveries []jobs.Args
	for _, payload := range list {
		within := []int64(nil)
		if in, ok := payload.(payloadWithin); ok {
			payload, within = in.payload, in.groups
		}
		text, err := db.EncodeJSON(payload)
		if err != nil {
			return fmt.Errorf("payload of %s: %w", h.flag, err)
		}
		for _, hook := range hooks {
			if within != nil && (hook.NamespaceID == nil || !slices.Contains(within, *hook.NamespaceID)) {
				continue
			}
			d := DeliveryJob{
				Hook: hook.ID, Event: h.flag, User: h.user, Chain: h.at.chain, Key: NewUUID(), Payload: text,
			}
			if h.at.project != nil {
				d.Project = *h.at.project
			}
			if d.Chain == "" {
				d.Chain = NewUUID()
			}
			deliveries = append(deliveries, d)
		}
	}
	return jobs.Enqueue(ctx, st, deliveries...)
}
