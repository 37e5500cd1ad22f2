package provider

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
)

// run plans a configuration against the host, and applies it if asked to. It
// returns the plan in lines, what was blocked and what failed.
func (h *host) run(t *testing.T, back ledger.Backend, apply bool, src string) (lines []string) {
	t.Helper()
	cfg, diags := config.Load(t.Context(), fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", Kinds(), config.Vars{})
	require.False(t, diags.HasErrors(), "%s", diags)
	run, diags := (&reconcile.Engine{Provider: h.Provider, Writer: h.Provider, Backend: back,
		Host: "https://h.example"}).Plan(t.Context(), cfg, reconcile.Options{})
	require.False(t, diags.HasErrors(), "%s", diags)
	for _, c := range run.Plan.Changes {
		line := strings.TrimSpace(string(c.Action) + " " + c.Addr.String())
		for _, p := range c.Paths {
			line += " " + p.Attr.Name
		}
		lines = append(lines, line)
	}
	for _, b := range run.Plan.Blocked {
		lines = append(lines, "blocked: "+b.Reason)
	}
	if !apply {
		return lines
	}
	out, diags := run.Apply(t.Context())
	require.False(t, diags.HasErrors(), "%s", diags)
	for _, f := range out.Failed {
		lines = append(lines, "failed: "+f.Err.Error())
	}
	return lines
}

// wrote are the requests that were not reads, without the bodies of those that
// have none.
func (h *host) wrote() (lines []string) {
	for _, line := range h.asked {
		if !strings.HasPrefix(line, "GET ") {
			lines = append(lines, line)
		}
	}
	return lines
}

const (
	root     = `{"id":1,"username":"root","is_admin":true}`
	acmeHas  = `{"id":12,"path":"acme","full_path":"acme","parent_id":null}`
	apiHas   = `{"id":7,"path":"api","path_with_namespace":"acme/api","namespace":{"id":12,"full_path":"acme"}}`
	noRoute  = `{"error":"404 Not Found"}`
	notThere = `{"message":"404 Not found"}`
)

// A04: what there is one of or none. A 404 and null say that there is none yet;
// only then it is created.
func TestOneOrNone(t *testing.T) {
	t.Parallel()
	const src = `resource "group_push_rule" "r" {
  group         = "acme"
  max_file_size = 5
}`
	for name, c := range map[string]struct {
		rule  says
		plan  []string
		wrote []string
	}{
		"404": {says{status: 404, body: notThere}, []string{"+ group_push_rule.r group max_file_size"},
			[]string{`POST /groups/12/push_rule {"max_file_size":5}`}},
		"null": {says{status: 200, body: `null`}, []string{"+ group_push_rule.r group max_file_size"},
			[]string{`POST /groups/12/push_rule {"max_file_size":5}`}},
		"there": {says{status: 200, body: `{"id":3,"max_file_size":9}`}, []string{"= group_push_rule.r max_file_size"},
			[]string{`PUT /groups/12/push_rule {"max_file_size":5}`}},
		"right": {says{status: 200, body: `{"id":3,"max_file_size":5}`}, []string{"= group_push_rule.r"}, nil},
		// A06: an edition without it has no such route.
		"no route": {says{status: 404, body: noRoute},
			[]string{"blocked: group_push_rule is not supported by this instance"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := says{status: 200, body: `{"id":3,"max_file_size":5}`}
			h := serve(t, script{
				"GET /user": {status: 200, body: root}, "GET /groups/acme": {status: 200, body: acmeHas},
				"GET /groups/12":           {status: 200, body: acmeHas},
				"GET /groups/12/push_rule": c.rule, "POST /groups/12/push_rule": {status: 201, body: there.body},
				"PUT /groups/12/push_rule": there,
			})
			require.Equal(t, c.plan, h.run(t, ledger.Memory(), true, src))
			require.Equal(t, c.wrote, h.wrote())
		})
	}
}

// An owner that is gone is not one without a rule.
func TestOneOrNoneOfAGoneOwner(t *testing.T) {
	t.Parallel()
	h := serve(t, script{"GET /user": {status: 200, body: root},
		"GET /groups/12":           {status: 404, body: `{"message":"404 Group Not Found"}`},
		"GET /groups/12/push_rule": {status: 404, body: `{"message":"404 Group Not Found"}`}})
	lines := h.run(t, ledger.Memory(), true, `resource "group_push_rule" "r" {
  group         = 12
  max_file_size = 5
}`)
	require.Equal(t, []string{"blocked: group_push_rule of 12 cannot be listed: the owner does not exist (404)"}, lines)
	require.Empty(t, h.wrote())
}

// A05: a host may make a rule with its owner. POST says that there is one, whichever way, and it is
// changed instead; where there is none after all, the refusal is a failure.
func TestCreatedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]says{
		"of groups":   {status: 422, body: `{"message":"Group push rule exists, try updating"}`},
		"of projects": {status: 422, body: `{"error":"Project push rule exists"}`},
		"in full":     {status: 422, body: `{"message":"422 Unprocessable Entity - Project push rule exists"}`},
		"409":         {status: 409, body: `{"message":"409 Conflict"}`},
		"taken":       {status: 400, body: `{"message":{"project":["has already been taken"]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, owner := range []string{"group", "project"} {
				rule := "/" + owner + "s/7/push_rule"
				lines, wrote := madeMeanwhile(t, owner, refusal, true)
				require.Equal(t, []string{"+ " + owner + "_push_rule.r " + owner + " max_file_size prevent_secrets"},
					lines)
				require.Equal(t, []string{
					"POST " + rule + ` {"max_file_size":5,"prevent_secrets":true}`,
					"PUT " + rule + ` {"max_file_size":5}`,
				}, wrote)

				lines, wrote = madeMeanwhile(t, owner, refusal, false)
				require.Len(t, lines, 2)
				require.Contains(t, lines[1], "failed: ")
				require.Len(t, wrote, 1)
			}
		})
	}
}

// madeMeanwhile applies a rule to a host that refuses to make it, and has one by then or not.
func madeMeanwhile(t *testing.T, owner string, refusal says, there bool) (lines, wrote []string) {
	t.Helper()
	answer, rule := `null`, "/"+owner+"s/7/push_rule"
	h := serve(t, script{
		"GET /user": {status: 200, body: root}, "GET /projects/{id}": {status: 200, body: apiHas},
		"GET /groups/{id}": {status: 200, body: `{"id":7,"path":"acme","full_path":"acme"}`},
		"GET " + rule:      {do: func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, answer) }},
		"POST " + rule: {do: func(w http.ResponseWriter, _ *http.Request) {
			if there {
				answer = `{"id":3,"max_file_size":0,"prevent_secrets":true}`
			}
			reply(w, refusal.status, refusal.body)
		}},
		"PUT " + rule: {status: 200, body: `{"id":3,"max_file_size":5,"prevent_secrets":true}`},
	})
	lines = h.run(t, ledger.Memory(), true, `resource "`+owner+`_push_rule" "r" {
  `+owner+` = 7
  max_file_size   = 5
  prevent_secrets = true
}`)
	return lines, h.wrote()
}

// A06: what an edition does not have concerns its own kinds alone.
func TestAnEditionWithout(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"GET /user": {status: 200, body: root}, "GET /groups/acme": {status: 200, body: acmeHas},
		"GET /groups/12":         {status: 200, body: acmeHas},
		"GET /groups/12/members": list(`{"id":5,"username":"alice","access_level":40}`),
	})
	lines := h.run(t, ledger.Memory(), false, `resource "group_push_rule" "r" {
  group           = "acme"
  prevent_secrets = true
}
resource "group_hook" "h" {
  group = "acme"
  url   = "https://h.example/"
}
resource "group_member" "alice" {
  group        = "acme"
  user         = "alice"
  access_level = "owner"
}`)
	require.Equal(t, []string{
		"= group_member.alice access_level",
		"blocked: group_hook is not supported by this instance",
		"blocked: group_push_rule is not supported by this instance",
	}, lines)
}
