package provider

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// What is configured and what the host answers say one thing in many ways: the
// order and number of set members, upper and lower case, composed and other
// letters, null for an empty text and for false, a role by name or number, a
// day with a time (H08, D01, D04, D08, D09, D11, D12, D15, D24). Whatever the
// spelling, the plan of it is empty; and of other values it tells every one.
func TestSpellingsAreNoChanges(t *testing.T) {
	t.Parallel()
	rounds := func(k *Kind) uint64 { return max(3, min(25, uint64(1000/len(k.Attrs)))) }
	every(t, func(t *testing.T, k *Kind) {
		if k.Collection == "" || k.Set != nil {
			return
		}
		for seed := range rounds(k) {
			s := &speller{T: t, Rand: rand.New(rand.NewPCG(seed, 7)), kind: k}
			stated := s.values()
			require.Empty(t, s.differences(stated, stated), "seed %d", seed)

			other := s.others(stated)
			require.ElementsMatch(t, keys(other), s.differences(stated, other), "seed %d: what differs", seed)

			// What is null, or not written, is nobody's business (H12, H13).
			for name := range stated {
				switch a := k.Attr(name); {
				case a.Mode == schema.Required || name == "minimum_access_level_for_push": // a rule needs one
					other[name] = stated[name]
				case s.IntN(2) == 0:
					stated[name] = cty.NullVal(a.Type)
				case s.IntN(2) == 0:
					delete(stated, name)
				default:
					other[name] = stated[name]
				}
			}
			s.together(stated)
			require.Empty(t, s.differences(stated, other), "seed %d: not stated", seed)
		}
	})
}

// speller writes values of one kind's attributes in one of the ways that there
// are, as configuration and as an answer.
type speller struct {
	*testing.T
	*rand.Rand
	kind *Kind
}

// values are some of each attribute that can be compared.
func (s *speller) values() map[string]cty.Value {
	out := map[string]cty.Value{}
	for a := range s.kind.Arguments() {
		if a.RefKind() == "" && !a.IsSecret() && a.Lasting() && a.Name != "path" && a.Name != s.kind.Frozen &&
			!slices.Contains(s.kind.Match.Attrs(), a.Name) {
			all := samples(a)
			require.NotEmpty(s, all, a.Name)
			if len(all) > 1 { // else there is nothing to tell apart
				out[a.Name] = all[s.IntN(len(all))]
			}
		}
	}
	s.together(out)
	return out
}

// together leaves out what the rest cannot be stated with.
func (s *speller) together(values map[string]cty.Value) {
	for s.kind.Check != nil {
		o := schema.Object{Kind: &s.kind.Kind}
		for a := range s.kind.Arguments() {
			if a.RefKind() != "" {
				o.Value.Set(a, schema.RefVal(&schema.Ref{ID: a.Name}))
			} else if key, err := strconv.Unquote(s.identity(a.Name)); err == nil &&
				slices.Contains(s.kind.Match.Keys, a.Name) {
				o.Value.Set(a, cty.StringVal(key))
			}
		}
		for name, v := range values {
			if !v.IsNull() {
				o.Value.Set(s.kind.Attr(name), v)
			}
		}
		wrong := s.kind.Check(o)
		if len(wrong) == 0 {
			return
		}
		for _, p := range wrong {
			require.Contains(s, values, p.Attr, p.Text)
		}
		delete(values, wrong[0].Attr)
	}
}

// others are other values than those.
func (s *speller) others(than map[string]cty.Value) map[string]cty.Value {
	out := map[string]cty.Value{}
	for name, v := range than {
		a := s.kind.Attr(name)
		others := slices.DeleteFunc(samples(a), func(o cty.Value) bool { return a.Equal(o, v) })
		require.NotEmpty(s, others, name)
		out[name] = others[s.IntN(len(others))]
	}
	return out
}

// written is a value as one may write it in configuration.
func (s *speller) written(a *schema.Attr, v cty.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case a.Type == cty.DynamicPseudoType:
		name := levelName(v)
		forms := []string{name, strings.ToUpper(name), toText(v)}
		if s.IntN(2) == 0 {
			return toText(v)
		}
		return literal(forms[s.IntN(len(forms))])
	case a.Type == cty.String && a.Name == "expires_at" && len(v.AsString()) == len(time.DateOnly) && s.IntN(2) == 0:
		return literal(v.AsString() + []string{"T00:00:00Z", "T23:59:59.000Z", " 12:00:00"}[s.IntN(3)])
	case a.Type == cty.String:
		return literal(s.text(s.reordered(a, v.AsString())))
	case a.Type.IsSetType() || a.Type.IsListType():
		var parts []string
		for _, e := range v.AsValueSlice() {
			parts = append(parts, literalOf(e))
			if a.Type.IsSetType() && s.IntN(2) == 0 {
				parts = append(parts, literalOf(e))
			}
		}
		if a.Type.IsSetType() {
			s.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case a.Type.IsObjectType() || a.Partial():
		var parts []string
		for name, e := range v.AsValueMap() {
			parts = append(parts, name+" = "+literalOf(e))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return literalOf(v)
}

// answered is a value as a host may answer it.
func (s *speller) answered(row *Attr, v cty.Value) any {
	a := &row.Attr
	switch {
	case a.Type == cty.String && v.AsString() == "" && s.IntN(2) == 0:
		return nil
	case a.Type == cty.String:
		return s.text(s.reordered(a, v.AsString()))
	case a.Type == cty.Bool && v.False() && a.Form.Norm != nil && s.IntN(2) == 0:
		return nil
	case a.Type.IsObjectType():
		fields := map[string]any{}
		for name, e := range v.AsValueMap() {
			fields[name] = toJSON(e)
			if e.Type() == cty.String && !e.IsNull() {
				fields[name] = s.text(e.AsString())
				if e.AsString() == "" {
					fields[name] = nil
				}
			}
		}
		return fields
	case a.Type.IsSetType() && v.LengthInt() > 0:
		var list []any
		for _, e := range v.AsValueSlice() {
			list = append(list, toJSON(e))
		}
		s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list
	}
	return row.encoded(v)
}

// text is the same text in composed letters or in parts.
func (s *speller) text(t string) string {
	if s.IntN(2) == 0 {
		return strings.NewReplacer("\u00e9", "e\u0301", "\u00f6", "o\u0308").Replace(t)
	}
	return t
}

// reordered is a list in one text in another order.
func (s *speller) reordered(a *schema.Attr, t string) string {
	if a.Name != "ip_restriction_ranges" && a.Name != "allowed_email_domains_list" {
		return t
	}
	parts := strings.Split(t, ",")
	s.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, []string{",", ", "}[s.IntN(2)])
}

// differences plans the stated values against a host that has the live ones,
// and returns the attributes that the plan would change.
func (s *speller) differences(stated, live map[string]cty.Value) (names []string) {
	s.Helper()
	src := "resource \"" + s.kind.Name + "\" \"it\" {\n"
	for a := range s.kind.Arguments() {
		if _, says := stated[a.Name]; !says && s.identity(a.Name) != "" &&
			(a.Mode == schema.Required || a.RefKind() != "" ||
				slices.Contains(slices.Concat(s.kind.Match.Keys, s.kind.Match.Also), a.Name)) {
			src += a.Name + " = " + s.identity(a.Name) + "\n"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		src += name + " = " + s.written(s.kind.Attr(name), stated[name]) + "\n"
	}
	cfg, diags := config.Load(s.Context(),
		fstest.MapFS{"main.hcl": {Data: []byte(src + "}\n")}}, ".", Kinds(), config.Vars{})
	require.False(s, diags.HasErrors(), "%s\n%s", diags, src)

	h := s.host(live)
	run, diags := (&reconcile.Engine{Provider: h.Provider, Host: "https://h.example"}).Plan(s.Context(), cfg,
		reconcile.Options{})
	require.False(s, diags.HasErrors(), "%s\n%s", diags, src)
	require.Empty(s, run.Plan.Blocked, src)
	require.Len(s, run.Plan.Changes, 1)
	for _, p := range run.Plan.Changes[0].Paths {
		names = append(names, p.Attr.Name)
	}
	action := "adopt"
	if plan.Replaces(run.Plan.Changes[0].Paths) {
		action = "replace"
	}
	require.Equal(s, action, run.Plan.Changes[0].Action.Name(), "%s", h.asked)
	for _, line := range h.asked {
		require.True(s, strings.HasPrefix(line, "GET "), line)
	}
	return names
}

// identities are what says which object is meant, as one may write it.
var identities = map[string]string{
	"path": `"it"`, "parent": `"Acme"`, "namespace": `1`, "group": `"acme"`, "project": `"acme/API"`, "user": `"ALICE"`,
	"share_group": `"Partners"`, "name": "\"caf\u00e9\"", "title": `"it"`, "username": `"alice"`,
	"url": `"https://Bot:tok@H.example:443/hook"`,
	"cn":  `"devs"`, "provider": `"ldapmain"`, "saml_group_name": "\"caf\u00e9\"",
	"deploy_key.key": `"ssh-ed25519 AAAAC3Nz who@h.example"`, "key": `"NAME"`, "value": `"hush-hush"`,
	"user.email": `"a@h.example"`, "environment.name": `"it"`,
	"package_protection_rule.package_name_pattern": "\"caf\u00e9*\"", "package_protection_rule.package_type": `"npm"`,
	"description": "\"caf\u00e9\"", "slug": `"gitlab-slack-application"`,
}

// identity is what says which object of the kind is meant.
func (s *speller) identity(name string) string {
	if own := identities[s.kind.Name+"."+name]; own != "" {
		return own
	}
	return identities[name]
}

// host has one object of the kind, and whom that belongs to. Lists leave out the
// details, and what is secret is answered masked.
func (s *speller) host(live map[string]cty.Value) *host {
	fixed := map[string]any{
		"id": 7, "path": "it", "full_path": "acme/it", "title": "it", "parent_id": 1, "path_with_namespace": "Acme/it",
		"namespace": map[string]any{"id": 1, "full_path": "Acme"}, "archived": false,
		"username": "Alice", "slug": "gitlab-slack-application", "group_id": 7, "group_full_path": "partners",
		"key": "NAME", "value": "hush-hush", "environment_scope": "*", "cn": "devs", "provider": "ldapmain",
		"name": "cafe\u0301", "url": "https://*****:*****@h.example/hook",
		"token": []any{nil, "", "********"}[s.IntN(3)],
	}
	for _, name := range []string{"key", "name", "package_name_pattern", "package_type"} {
		if own, err := strconv.Unquote(identities[s.kind.Name+"."+name]); err == nil {
			fixed[name] = own
		}
	}
	list, whole := map[string]any{}, map[string]any{}
	maps.Copy(list, fixed)
	maps.Copy(whole, fixed)
	if slices.Contains(s.kind.Match.Keys, "description") {
		list["description"], whole["description"] = "cafe\u0301", "cafe\u0301"
	}
	if s.kind.API.ReadEach {
		whole["groups"] = []any{map[string]any{"id": 1}}
	}
	for name, v := range live {
		row := s.kind.row(name)
		answer := s.answered(row, v)
		whole[row.fieldName()] = answer
		if !row.Detail {
			list[row.fieldName()] = answer
		}
	}
	answers := map[string]string{
		"/user": `{"id":99,"username":"root","is_admin":true}`, "/users": `[{"id":7,"username":"Alice"}]`,
		"/groups/1": `{"id":1,"path":"acme","full_path":"Acme","parent_id":null,"shared_with_groups":[` +
			jsonOf(s.T, list) + `]}`,
		"/projects/1": `{"id":1,"path":"api","path_with_namespace":"Acme/api","shared_with_groups":[` +
			jsonOf(s.T, list) + `]}`,
		"/groups/1/members/all": "[]",
	}
	switch at := "/" + s.kind.In("1").Path; {
	case s.kind.Holds != schema.Many:
		answers[at] = jsonOf(s.T, list)
	case s.kind.API.Within == "":
		answers[at] = "[" + jsonOf(s.T, list) + "]"
	}
	for alias, path := range map[string]string{"/groups/acme": "/groups/1", "/groups/Acme": "/groups/1",
		"/projects/acme%2FAPI": "/projects/1", "/projects/acme%2Fapi": "/projects/1"} {
		answers[alias] = answers[path]
	}
	switch {
	case s.kind.Tree != nil:
		answers["/"+s.kind.Name+"s/7"] = jsonOf(s.T, whole)
	case s.kind.API.Item == "runners/{id}":
		answers["/runners/7"] = jsonOf(s.T, whole)
	case s.kind.API.ID == "slug":
		answers["/"+s.kind.In("1").Path+"/gitlab-slack-application"] = jsonOf(s.T, whole)
	}
	return serveTo(s.T, client.Config{ReadOnly: true}, script{"GET /{all...}": {do: func(w http.ResponseWriter,
		r *http.Request) {
		body, ok := answers[strings.TrimPrefix(r.URL.EscapedPath(), "/api/v4")]
		if !ok {
			reply(w, 404, `{"message":"404 Not Found"}`)
			return
		}
		reply(w, 200, body)
	}}})
}
