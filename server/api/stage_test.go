package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/servertest"
	"hew/server/store"
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
	_, err := s.Store.SetUserState(t.Context(), cast["blocked owner"].ID, "blocked", "active")
	require.NoError(t, err)
	digest, today := auth.Digest("expired"), store.Today()
	_, err = s.Store.CreateToken(t.Context(), store.Token{
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
	guests, err := s.Store.CreateGroup(t.Context(), store.NewGroup("Guests", "guests", nil), 0)
	require.NoError(t, err)
	variable(t, s.Store, store.Container{}, "key")
	for _, v := range []store.Visibility{store.Private, store.Internal, store.Public} {
		s.scenes = append(s.scenes, s.scene(v, cast, guests))
	}
	return s
}

// scene makes what the players meet. A new wildcard needs a line in its values.
func (s *stage) scene(v store.Visibility, cast map[string]servertest.Persona, guests store.Group) scene {
	t, ctx := s.t, s.t.Context()
	owner, direct := cast["owner"], cast["developer of the project"]
	group := store.NewGroup("Stage "+v.String(), "stage-"+v.String(), nil)
	group.Visibility = v
	group, err := s.Store.CreateGroup(ctx, group, owner.ID)
	require.NoError(t, err)
	project := store.NewProject("play", "play", group.ID)
	project.Visibility = v
	project, err = s.Store.CreateProject(ctx, project, owner.ID)
	require.NoError(t, err)

	member := func(name string, level int) {
		_, err := s.Store.AddMember(ctx, store.InGroup(group).NewMember(cast[name].ID, level))
		require.NoError(t, err)
	}
	for _, l := range levels {
		if l.level > 0 && l.level < 50 {
			member(l.role, l.level)
		}
	}
	member("blocked owner", 50)
	member("deputy", 50)
	_, err = s.Store.AddMember(ctx, store.InProject(project).NewMember(direct.ID, 30))
	require.NoError(t, err)

	values := map[string]string{
		"groups/id":        fmt.Sprint(group.ID),
		"projects/id":      fmt.Sprint(project.ID),
		"namespaces/id":    fmt.Sprint(group.ID),
		"users/id":         fmt.Sprint(owner.ID),
		"user_id":          fmt.Sprint(owner.ID),
		"projects/user_id": fmt.Sprint(direct.ID),
		"project_id":       fmt.Sprint(project.ID),
		"group_id":         fmt.Sprint(guests.ID),
		"here":             fmt.Sprint(group.ID),
		"email":            "ivy@example.org",
		"key":              "key",
		"trigger":          "push_events",
	}
	tokens, _, err := s.Store.Tokens(ctx, store.TokenFilter{UserID: &owner.ID}, store.Page{Limit: 1})
	require.NoError(t, err)
	values["personal_access_tokens/id"] = fmt.Sprint(tokens[0].ID)
	for first, c := range map[string]store.Container{"groups": group.Container(), "projects": project.Container()} {
		s.furnish(c, owner, func(name, value string) { values[first+"/"+name] = value })
	}
	values["runners/id"], values["system_id"] = values["projects/runner_id"], "s_1"
	values["projects/runner_id"] = s.shared(project)
	s.alarm(project.Container(), func(name, value string) { values["projects/"+name] = value })
	for _, source := range []store.Source{store.InGroup(group), store.InProject(project)} {
		_, err = s.Store.CreateShare(ctx, source.NewShare(guests, 30))
		require.NoError(t, err)
		require.NoError(t, s.Store.CreateInvitation(ctx, source.NewInvitation("ivy@example.org", 30)))
	}
	topic, err := s.Store.CreateTopic(ctx, store.Topic{Name: v.String(), Title: v.String()})
	require.NoError(t, err)
	values["topics/id"] = fmt.Sprint(topic.ID)
	attributes := map[string]string{"key": "value"}
	for _, b := range []store.Bearer{group.Bearer(), project.Bearer(), (store.User{ID: owner.ID}).Bearer()} {
		require.NoError(t, s.Store.UpdateCustomAttributes(ctx, b, attributes))
	}
	return scene{v.String(), values}
}

// furnish puts into a group or project what both can hold, and tells what it is called in paths.
func (s *stage) furnish(c store.Container, owner servertest.Persona, tell func(name, value string)) {
	t, ctx := s.t, s.t.Context()
	hook, delivery := s.hook(c)
	tell("hook_id", hook)
	tell("hook_log_id", delivery)
	_, err := s.Store.PushRules(c).Create(ctx, store.PushRule{Container: c})
	require.NoError(t, err)
	variable(t, s.Store, c, "key")
	rule := store.ApprovalRule{Container: c, Name: "all", RuleType: "any_approver", UserIDs: []int64{}, GroupIDs: []int64{}, BranchIDs: []int64{}}
	rule, err = s.Store.ApprovalRules(c).Create(ctx, rule)
	require.NoError(t, err)
	tell("approval_rule_id", fmt.Sprint(rule.ID))
	for _, kind := range []store.RefKind{store.Branch, store.Tag} {
		_, err := s.Store.ProtectedRefs(c, kind).Create(ctx, store.ProtectedRef{Container: c, Kind: kind, Name: "v1"})
		require.NoError(t, err)
	}
	tell("name", "v1")
	_, err = s.Store.Labels(c, 0).Create(ctx, store.Label{Container: c, Name: "bug", Color: "#FF0000"})
	require.NoError(t, err)
	tell("label_id", "bug")
	milestone, err := s.Store.CreateMilestone(ctx, store.Milestone{Container: c, Title: c.String(), State: "active"})
	require.NoError(t, err)
	tell("milestone_id", fmt.Sprint(milestone.ID))
	require.NoError(t, s.Store.SetAvatar(ctx, store.Avatar{Container: c, Name: "a.png", Type: "image/png", Content: []byte{1}}, "a.png"))
	integration := store.NewIntegration(c, "redmine")
	_, err = s.Store.Integrations(c).Create(ctx, integration)
	require.NoError(t, err)
	tell("slug", integration.Slug)
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
func deployKey(t *testing.T, st *store.Store, c store.Container, name string) int64 {
	k, err := st.CreateDeployKey(t.Context(), store.DeployKey{Title: name, Key: "ssh-ed25519 " + name, FingerprintSHA256: name})
	require.NoError(t, err)
	_, err = st.EnabledKeys(c).Create(t.Context(), store.EnabledKey{ProjectID: c.ID(), DeployKeyID: k.ID})
	require.NoError(t, err)
	return k.ID
}

// variable makes a variable of a group or project, or of the instance.
func variable(t *testing.T, st *store.Store, c store.Container, key string) {
	v, err := st.NewVariable(t.Context(), c)
	require.NoError(t, err)
	v.Key = key
	st.SetVariableValue(&v, "value")
	_, err = st.Variables(c).Create(t.Context(), v)
	require.NoError(t, err)
}

// terraformState makes a state of a project, with one version.
func terraformState(t *testing.T, st *store.Store, c store.Container, name string) {
	state, err := st.TerraformStates(c).Create(t.Context(), store.TerraformState{ProjectID: c.ID(), Name: name})
	require.NoError(t, err)
	require.NoError(t, st.AddStateVersion(t.Context(), state, 1, []byte(`{"serial":1}`), 1))
}

// runner makes a runner of a group or project, with a manager.
func runner(t *testing.T, st *store.Store, c store.Container) store.Runner {
	r := store.NewRunner(c)
	digest := auth.Digest(auth.NewToken(""))
	r.Digest = digest[:]
	r, err := st.CreateRunner(t.Context(), r, c)
	require.NoError(t, err)
	require.NoError(t, st.Contact(t.Context(), store.RunnerManager{RunnerID: r.ID, SystemID: "s_1", ContactedAt: new(time.Now())}))
	return r
}

// shared makes a runner of a project and of another one, so that it can be taken away from the project.
func (s *stage) shared(project store.Project) string {
	t, ctx := s.t, s.t.Context()
	second, err := s.Store.CreateProject(ctx, store.NewProject("second", "second", project.NamespaceID), *project.CreatorID)
	require.NoError(t, err)
	r := runner(t, s.Store, project.Container())
	_, err = s.Store.Assignments(second.ID).Create(ctx, store.Assignment{ProjectID: second.ID, RunnerID: r.ID})
	require.NoError(t, err)
	return fmt.Sprint(r.ID)
}

// alarm makes what sends a project alerts, an alert, and what tracks its errors.
func (s *stage) alarm(c store.Container, tell func(name, value string)) {
	t, ctx := s.t, s.t.Context()
	i, err := s.Store.AlertIntegrations(c).Create(ctx, store.AlertIntegration{ProjectID: c.ID(), Name: "a", Type: "http", Digest: []byte{1}})
	require.NoError(t, err)
	tell("integration_id", fmt.Sprint(i.ID))
	list, err := s.Store.ReportAlerts(ctx, c.ID(), []store.Alert{
		{Title: "a", Status: store.Triggered, Severity: "low", Hosts: []string{}, Fingerprint: "a", Payload: json.RawMessage(`{}`), StartedAt: time.Now()},
	})
	require.NoError(t, err)
	tell("iid", fmt.Sprint(list[0].IID))
	_, err = s.Store.ErrorTracking(c).Create(ctx, store.ErrorTracking{ProjectID: c.ID()})
	require.NoError(t, err)
	terraformState(t, s.Store, c, "v1")
	tell("serial", "1")
	key, err := s.Store.ErrorTrackingKeys(c).Create(ctx, store.ErrorTrackingKey{ProjectID: c.ID(), PublicKey: fmt.Sprint("glet_", c.ID())})
	require.NoError(t, err)
	tell("key_id", fmt.Sprint(key.ID))
}

// hook makes a hook that leads nowhere, with one delivery. Those that the test asks for are refused, and not undone: they
// wait for nobody's transaction.
func (s *stage) hook(c store.Container) (id, delivery string) {
	ctx := s.t.Context()
	h, err := s.Store.NewHook(ctx, c)
	require.NoError(s.t, err)
	h.URL = "http://127.0.0.1:1"
	h.URLVariables.Set(s.Store.HookVariable(h, "key", "value"))
	h.CustomHeaders.Set(s.Store.HookVariable(h, "key", "value"))
	_, err = s.Store.Hooks(c).Create(ctx, h)
	require.NoError(s.t, err)
	l, err := s.Store.BeginHookLog(ctx, store.HookLog{
		HookID: h.ID, Trigger: "push_hooks", RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
		EventUUID: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11", IdempotencyKey: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b12",
	})
	require.NoError(s.t, err)
	l.ResponseStatus = new(200)
	require.NoError(s.t, s.Store.EndHookLog(ctx, l, true))
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
