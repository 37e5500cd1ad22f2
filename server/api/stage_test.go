package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/instance"
	"hew/server/integration"
	"hew/server/people"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// stage is where the access of everybody to everything is tried: somebody in every role, and what they meet, once private,
// once internal and once public.
type stage struct {
	*servertest.Server
	t       *testing.T
	players []player
	scenes  []scene
}

// player is a column of access.txt.
type player struct{ short, role, token string }

// scene is a group with a project in it, and all that there can be in either.
type scene struct {
	visibility string
	values     map[string]string // of the wildcards in paths, by "first segment/name" or name
}

// levels are the roles of members.
var levels = []struct {
	short, role string
	level       int
}{
	{"none", "signed in", 0}, {"mini", "minimal access", 5}, {"gues", "guest", 10}, {"plan", "planner", 15},
	{"repo", "reporter", 20}, {"deve", "developer", 30}, {"main", "maintainer", 40}, {"ownr", "owner", 50},
}

func newStage(t *testing.T) *stage {
	s := &stage{Server: servertest.Fresh(t), t: t, players: []player{{"anon", "nobody", ""}}}
	cast := map[string]servertest.Persona{}
	join := func(name string) { cast[name] = s.User(t, strings.ReplaceAll(name, " ", "-")) }
	for _, l := range levels {
		join(l.role)
		s.players = append(s.players, player{l.short, l.role, cast[l.role].Token})
	}
	join("blocked owner")
	join("deputy") // a second owner, or the first could not be removed
	join("developer of the project")
	_, err := tree.SetUserState(t.Context(), s.Store, cast["blocked owner"].ID, "blocked", "active")
	require.NoError(t, err)
	digest, today := secret.Digest("expired"), db.Today()
	_, err = people.InsertToken(t.Context(), s.Store, people.Token{
		UserID: cast["owner"].ID, Name: "old", Scopes: []string{"api"}, Digest: digest[:], ExpiresAt: &today,
	})
	require.NoError(t, err)
	s.players = append(s.players,
		player{"proj", "developer of the project alone", cast["developer of the project"].Token},
		player{"admn", "administrator", s.RootToken},
		player{"blck", "blocked owner", cast["blocked owner"].Token},
		player{"expd", "owner with an expired token", "expired"},
		player{"read", "owner with a token for read_api", s.Token(t, cast["owner"].ID, "read_api")},
	)
	guests, err := group.InsertGroup(t.Context(), s.Store, tree.NewGroup("Guests", "guests", nil), 0)
	require.NoError(t, err)
	variable(t, s.Store, db.Container{}, "key")
	for _, v := range []db.Visibility{db.Private, db.Internal, db.Public} {
		s.scenes = append(s.scenes, s.scene(v, cast, guests))
	}
	return s
}

// scene makes what the players meet. A new wildcard needs a line in its values.
func (s *stage) scene(v db.Visibility, cast map[string]servertest.Persona, guests tree.Group) scene {
	t, ctx := s.t, s.t.Context()
	owner, direct := cast["owner"], cast["developer of the project"]
	g := tree.NewGroup("Stage "+v.String(), "stage-"+v.String(), nil)
	g.Visibility = v
	g, err := group.InsertGroup(ctx, s.Store, g, owner.ID)
	require.NoError(t, err)
	p := tree.NewProject("play", "play", g.ID)
	p.Visibility = v
	p, err = project.InsertProject(ctx, s.Store, p, owner.ID)
	require.NoError(t, err)

	member := func(name string, level int) {
		_, err := group.AddMember(ctx, s.Store, group.NewMember(tree.InGroup(g), cast[name].ID, level))
		require.NoError(t, err)
	}
	for _, l := range levels {
		if l.level > 0 && l.level < 50 {
			member(l.role, l.level)
		}
	}
	member("blocked owner", 50)
	member("deputy", 50)
	_, err = group.AddMember(ctx, s.Store, group.NewMember(tree.InProject(p), direct.ID, 30))
	require.NoError(t, err)

	values := map[string]string{
		"groups/id":        fmt.Sprint(g.ID),
		"projects/id":      fmt.Sprint(p.ID),
		"namespaces/id":    fmt.Sprint(g.ID),
		"users/id":         fmt.Sprint(owner.ID),
		"user_id":          fmt.Sprint(owner.ID),
		"projects/user_id": fmt.Sprint(direct.ID),
		"project_id":       fmt.Sprint(p.ID),
		"group_id":         fmt.Sprint(guests.ID),
		"here":             fmt.Sprint(g.ID),
		"email":            "ivy@example.org",
		"key":              "key",
		"trigger":          "push_events",
	}
	tokens, _, err := people.Tokens(ctx, s.Store, people.TokenFilter{UserID: &owner.ID}, db.Page{Limit: 1})
	require.NoError(t, err)
	values["personal_access_tokens/id"] = fmt.Sprint(tokens[0].ID)
	for first, c := range map[string]db.Container{"groups": g.Container(), "projects": p.Container()} {
		s.furnish(c, owner, func(name, value string) { values[first+"/"+name] = value })
	}
	values["runners/id"], values["system_id"] = values["projects/runner_id"], "s_1"
	values["projects/runner_id"] = s.shared(p)
	s.alarm(p.Container(), func(name, value string) { values["projects/"+name] = value })
	for _, source := range []tree.Source{tree.InGroup(g), tree.InProject(p)} {
		_, err = group.InsertShare(ctx, s.Store, group.NewShare(source, guests, 30))
		require.NoError(t, err)
		require.NoError(t, group.CreateInvitation(ctx, s.Store, group.NewInvitation(source, "ivy@example.org", 30)))
	}
	topic, err := project.InsertTopic(ctx, s.Store, project.Topic{Name: v.String(), Title: v.String()})
	require.NoError(t, err)
	values["topics/id"] = fmt.Sprint(topic.ID)
	attributes := map[string]string{"key": "value"}
	for _, b := range []tree.Bearer{g.Bearer(), p.Bearer(), (tree.User{ID: owner.ID}).Bearer()} {
		require.NoError(t, people.UpdateCustomAttributes(ctx, s.Store, b, attributes))
	}
	return scene{v.String(), values}
}

// furnish puts into a group or project what both can hold, and tells what it is called in paths.
func (s *stage) furnish(c db.Container, owner servertest.Persona, tell func(name, value string)) {
	t, ctx := s.t, s.t.Context()
	hook, delivery := s.hook(c)
	tell("hook_id", hook)
	tell("hook_log_id", delivery)
	_, err := protect.PushRules(s.Store, c).Create(ctx, protect.PushRule{Container: c})
	require.NoError(t, err)
	variable(t, s.Store, c, "key")
	rule := protect.ApprovalRule{Container: c, Name: "all", RuleType: "any_approver", UserIDs: []int64{}, GroupIDs: []int64{}, BranchIDs: []int64{}}
	rule, err = protect.ApprovalRules(s.Store, c).Create(ctx, rule)
	require.NoError(t, err)
	tell("approval_rule_id", fmt.Sprint(rule.ID))
	for _, kind := range []protect.RefKind{protect.Branch, protect.Tag} {
		_, err := protect.ProtectedRefs(s.Store, c, kind).Create(ctx, protect.ProtectedRef{Container: c, Kind: kind, Name: "v1"})
		require.NoError(t, err)
	}
	tell("name", "v1")
	_, err = work.Labels(s.Store, c, 0).Create(ctx, work.Label{Container: c, Name: "bug", Color: "#FF0000"})
	require.NoError(t, err)
	tell("label_id", "bug")
	milestone, err := work.InsertMilestone(ctx, s.Store, work.Milestone{Container: c, Title: c.String(), State: "active"})
	require.NoError(t, err)
	tell("milestone_id", fmt.Sprint(milestone.ID))
	require.NoError(t, tree.PutAvatar(ctx, s.Store, tree.Avatar{Container: c, Name: "a.png", Type: "image/png", Content: []byte{1}}, "a.png"))
	i := integration.NewIntegration(c, "redmine")
	_, err = integration.Integrations(s.Store, c).Create(ctx, i)
	require.NoError(t, err)
	tell("slug", i.Slug)
	s.bind(c, tell)
	var token struct{ ID int64 }
	s.Do(t, owner.Token, "POST", fmt.Sprintf("/%ss/%d/access_tokens", c.Kind(), c.ID()),
		map[string]any{"name": "bot", "scopes": []string{"api"}}).Into(t, &token)
	tell("token_id", fmt.Sprint(token.ID))
	tell("runner_id", fmt.Sprint(runner(t, s.Store, c).ID))
	if c.ProjectID != nil {
		tell("deploy_key_id", fmt.Sprint(deployKey(t, s.Store, c, c.String())))
	}
}

// deployKey makes a deploy key, enables it in a project, and says which one it is.
func deployKey(t *testing.T, st *db.Store, c db.Container, name string) int64 {
	k, err := protect.insertDeployKey(t.Context(), st, protect.DeployKey{Title: name, Key: "ssh-ed25519 " + name, FingerprintSHA256: name})
	require.NoError(t, err)
	_, err = protect.EnabledKeys(st, c).Create(t.Context(), protect.EnabledKey{ProjectID: c.ID(), DeployKeyID: k.ID})
	require.NoError(t, err)
	return k.ID
}

// variable makes a variable of a group or project, or of the instance.
func variable(t *testing.T, st *db.Store, c db.Container, key string) {
	v, err := ci.newVariable(t.Context(), st, c)
	require.NoError(t, err)
	v.Key = key
	ci.setVariableValue(st, &v, "value")
	_, err = ci.Variables(st, c).Create(t.Context(), v)
	require.NoError(t, err)
}

// terraformState makes a state of a project, with one version.
func terraformState(t *testing.T, st *db.Store, c db.Container, name string) {
	state, err := instance.TerraformStates(st, c).Create(t.Context(), instance.TerraformState{ProjectID: c.ID(), Name: name})
	require.NoError(t, err)
	require.NoError(t, instance.addStateVersion(t.Context(), st, state, 1, []byte(`{"serial":1}`), 1))
}

// runner makes a runner of a group or project, with a manager.
func runner(t *testing.T, st *db.Store, c db.Container) ci.Runner {
	r := ci.NewRunner(c)
	digest := secret.Digest(secret.NewToken(""))
	r.Digest = digest[:]
	r, err := ci.insertRunner(t.Context(), st, r, c)
	require.NoError(t, err)
	require.NoError(t, ci.RecordContact(t.Context(), st, ci.RunnerManager{RunnerID: r.ID, SystemID: "s_1", ContactedAt: new(time.Now())}))
	return r
}

// shared makes a runner of a project and of another one, so that it can be taken away from the project.
func (s *stage) shared(p tree.Project) string {
	t, ctx := s.t, s.t.Context()
	second, err := project.InsertProject(ctx, s.Store, tree.NewProject("second", "second", p.NamespaceID), *p.CreatorID)
	require.NoError(t, err)
	r := runner(t, s.Store, p.Container())
	_, err = ci.Assignments(s.Store, second.ID).Create(ctx, ci.Assignment{ProjectID: second.ID, RunnerID: r.ID})
	require.NoError(t, err)
	return fmt.Sprint(r.ID)
}

// alarm makes what sends a project alerts, an alert, and what tracks its errors.
func (s *stage) alarm(c db.Container, tell func(name, value string)) {
	t, ctx := s.t, s.t.Context()
	i, err := integration.AlertIntegrations(s.Store, c).Create(ctx, integration.AlertIntegration{ProjectID: c.ID(), Name: "a", Type: "http", Digest: []byte{1}})
	require.NoError(t, err)
	tell("integration_id", fmt.Sprint(i.ID))
	list, err := integration.ReportAlerts(ctx, s.Store, c.ID(), []integration.Alert{
		{Title: "a", Status: integration.Triggered, Severity: "low", Hosts: []string{}, Fingerprint: "a", Payload: json.RawMessage(`{}`), StartedAt: time.Now()},
	})
	require.NoError(t, err)
	tell("iid", fmt.Sprint(list[0].IID))
	_, err = integration.ErrorTrackings(s.Store, c).Create(ctx, integration.ErrorTracking{ProjectID: c.ID()})
	require.NoError(t, err)
	terraformState(t, s.Store, c, "v1")
	tell("serial", "1")
	key, err := integration.ErrorTrackingKeys(s.Store, c).Create(ctx, integration.ErrorTrackingKey{ProjectID: c.ID(), PublicKey: fmt.Sprint("glet_", c.ID())})
	require.NoError(t, err)
	tell("key_id", fmt.Sprint(key.ID))
}

// hook makes a hook that leads nowhere, with one delivery. Those that the test asks for are refused, and not undone: they
// wait for nobody's transaction.
func (s *stage) hook(c db.Container) (id, delivery string) {
	ctx := s.t.Context()
	h, err := hook.NewHook(ctx, s.Store, c)
	require.NoError(s.t, err)
	h.URL = "http://127.0.0.1:1"
	h.URLVariables.Set(hook.SealHookVariable(s.Store, h, "key", "value"))
	h.CustomHeaders.Set(hook.SealHookVariable(s.Store, h, "key", "value"))
	_, err = hook.Hooks(s.Store, c).Create(ctx, h)
	require.NoError(s.t, err)
	l, err := hook.BeginHookLog(ctx, s.Store, hook.HookLog{
		HookID: h.ID, Trigger: "push_hooks", RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
		EventUUID: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11", IdempotencyKey: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b12",
	})
	require.NoError(s.t, err)
	l.ResponseStatus = new(200)
	require.NoError(s.t, hook.EndHookLog(ctx, s.Store, l, true))
	return fmt.Sprint(h.ID), fmt.Sprint(l.ID)
}

var wildcard = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// path fills the wildcards of a route's path.
func (v scene) path(t *testing.T, pattern string) string {
	first := strings.Split(pattern, "/")[1]
	return wildcard.ReplaceAllStringFunc(pattern, func(w string) string {
		name := wildcard.FindStringSubmatch(w)[1]
		for _, key := range []string{first + "/" + name, name} {
			if value, ok := v.values[key]; ok {
				return value
			}
		}
		t.Fatalf("%s: say in scene what {%s} stands for", pattern, name)
		return ""
	})
}
