package protect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/policy"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{pattern: "main", yes: []string{"main"}, no: []string{"Main", "main2", "x/main", ""}},
		{pattern: "*", yes: []string{"main", "a/b", ""}},
		{pattern: "rel-*", yes: []string{"rel-", "rel-1", "rel-a/b"}, no: []string{"rel", "xrel-1"}},
		{pattern: "*-stable", yes: []string{"1-stable", "-stable", "a-stable-stable"}, no: []string{"1-stable2"}},
		{pattern: "a*b*c", yes: []string{"abc", "axbxc", "abbc", "acbbc"}, no: []string{"ab", "acb", "abcd"}},
		{pattern: "a*a", yes: []string{"aa", "aba"}, no: []string{"a"}},
		{pattern: "**", yes: []string{"", "x"}},
		{pattern: "v?.+", yes: []string{"v?.+"}, no: []string{"v1.0", "v"}},
	} {
		for _, name := range c.yes {
			require.True(t, Matches(c.pattern, name), "%s matches %q", c.pattern, name)
		}
		for _, name := range c.no {
			require.False(t, Matches(c.pattern, name), "%s does not match %q", c.pattern, name)
		}
	}
}

// The ids of the parties of testProtection.
const ann, ops, key = 7, 8, 9

// testProtection has patterns for every kind of party.
func testProtection() *Protection {
	role := func(act RefAct, level int) RefLevel { return RefLevel{Act: act, AccessLevel: &level} }
	branch := func(name string, levels ...RefLevel) ProtectedRef {
		return ProtectedRef{Kind: Branch, Name: name, Levels: levels}
	}
	id := func(n int64) *int64 { return &n }
	loose := branch("loose", role(Push, 30))
	loose.AllowForcePush = true
	return &Protection{refs: []ProtectedRef{
		branch("main", role(Push, 40), role(Merge, 30)),
		branch("nobody", role(Push, 0), role(Merge, 0)),
		loose,
		branch("ann-*", RefLevel{Act: Push, UserID: id(ann)}),
		branch("ops-*", RefLevel{Act: Push, GroupID: id(ops)}),
		branch("key-*", RefLevel{Act: Push, DeployKeyID: id(key)}),
		branch("ma*", role(Push, 60)),
		branch("two-*", role(Push, 40)),
		branch("two-x*", role(Push, 30)),
		{Kind: Tag, Name: "v*", Levels: []RefLevel{role(Create, 40)}},
	}}
}

// pushers are those who try, by letter.
var pushers = []struct {
	letter string
	by     Pusher
	groups []int64
}{
	{"d", Pusher{Who: policy.Who{ID: 1, Level: policy.Developer}}, nil},
	{"M", Pusher{Who: policy.Who{ID: 2, Level: policy.Maintainer}}, nil},
	{"A", Pusher{Who: policy.Who{ID: 3, Admin: true}}, nil},
	{"a", Pusher{Who: policy.Who{ID: ann, Level: policy.Developer}}, nil},
	{"o", Pusher{Who: policy.Who{ID: 4, Level: policy.Developer}}, []int64{ops}},
	{"k", Pusher{DeployKeyID: key}, nil},
	{"K", Pusher{DeployKeyID: key + 1}, nil},
}

// Each row says who may make a change by git, who by the API, and what the others are told.
func TestRefuse(t *testing.T) {
	t.Parallel()
	const (
		all      = "dMAaokK"
		noPush   = "You are not allowed to push code to protected branches on this project."
		noCreate = "You are not allowed to create protected branches on this project."
		noForce  = "You are not allowed to force push code to a protected branch on this project."
		noDelete = "You are not allowed to delete protected branches from this project. " +
			"Only a project maintainer or owner can delete a protected branch."
		web       = "You can only delete protected branches using the web interface."
		noTag     = "You are not allowed to create this tag as it is protected."
		noChange  = "You are not allowed to change existing tags on this project."
		protected = "Protected tags cannot be updated."
		noTagGone = "You are not allowed to delete protected tags from this project. " +
			"Only a project maintainer or owner can delete a protected tag."
		webTag = "You can only delete protected tags using the web interface."
	)
	for _, c := range []struct {
		kind     RefKind
		name     string
		do       RefVerb
		git, api string
		told     []string
	}{
		{Branch, "topic", CreateRef, all, all, nil},
		{Branch, "topic", ForcePush, all, all, nil},
		{Branch, "topic", DeleteRef, all, all, nil},
		{Branch, "main", CreateRef, "MA", "MA", []string{noCreate}},
		{Branch, "main", PushRef, "MA", "MA", []string{noPush}},
		{Branch, "main", ForcePush, "", "", []string{noForce}},
		{Branch, "main", DeleteRef, "", "MA", []string{noDelete, web}},
		{Branch, "nobody", PushRef, "", "", []string{noPush}},
		{Branch, "nobody", DeleteRef, "", "MA", []string{noDelete, web}},
		{Branch, "loose", ForcePush, "dMAao", "dMAao", []string{noPush}},
		{Branch, "loose", PushRef, "dMAao", "dMAao", []string{noPush}},
		{Branch, "ann-1", PushRef, "a", "a", []string{noPush}},
		{Branch, "ops-1", PushRef, "o", "o", []string{noPush}},
		{Branch, "key-1", PushRef, "k", "k", []string{noPush}},
		{Branch, "key-1", DeleteRef, "", "MA", []string{noDelete, web}},
		{Branch, "two-1", PushRef, "MA", "MA", []string{noPush}},
		{Branch, "two-x1", PushRef, "dMAao", "dMAao", []string{noPush}},
		{Tag, "beta", CreateRef, all, all, nil},
		{Tag, "beta", PushRef, "MA", "MA", []string{noChange}},
		{Tag, "beta", DeleteRef, all, all, nil},
		{Tag, "v1", CreateRef, "MA", "MA", []string{noTag}},
		{Tag, "v1", PushRef, "", "", []string{protected}},
		{Tag, "v1", DeleteRef, "", "MA", []string{noTagGone, webTag}},
		{Tag, "main", CreateRef, all, all, nil},
	} {
		t.Run(fmt.Sprint(c.kind, " ", c.name, " ", c.do), func(t *testing.T) {
			t.Parallel()
			told := map[string]bool{}
			may := map[bool]string{}
			for _, web := range []bool{false, true} {
				for _, who := range pushers {
					p := testProtection()
					p.by, p.groups = who.by, who.groups
					text := p.Refuse(RefChange{Kind: c.kind, Name: c.name, Do: c.do, Web: web})
					if text == "" {
						may[web] += who.letter
						continue
					}
					require.Contains(t, c.told, text, "%s, web %t", who.letter, web)
					told[text] = true
				}
			}
			require.Equal(t, c.git, may[false], "by git")
			require.Equal(t, c.api, may[true], "by the API")
			require.Len(t, told, len(c.told), "each text is reached")
		})
	}
}

func TestMayRole(t *testing.T) {
	t.Parallel()
	p := testProtection()
	for _, c := range []struct {
		act  RefAct
		name string
		role policy.Level
		want bool
	}{
		{Push, "main", policy.Developer, false},
		{Push, "main", policy.Maintainer, true},
		{Merge, "main", policy.Developer, true},
		{Merge, "nobody", policy.Owner, false},
		{Push, "ann-1", policy.Owner, false},
		{Push, "topic", policy.Developer, true},
	} {
		require.Equal(t, c.want, p.MayRole(c.act, Branch, c.name, c.role), "%s %s %d", c.act, c.name, c.role)
	}
	require.True(t, p.Protects(Branch, "main"))
	require.False(t, p.Protects(Tag, "main"))
	require.False(t, p.May(Push, Branch, "topic"), "what is not protected is not asked for")
}

func TestMayMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		by    Pusher
		merge bool
	}{
		{"main", Pusher{Who: policy.Who{ID: 1, Level: policy.Developer}}, true},
		{"main", Pusher{Who: policy.Who{ID: 1, Level: policy.Reporter}}, false},
		{"main", Pusher{Who: policy.Who{ID: 1, Admin: true}}, true},
		{"nobody", Pusher{Who: policy.Who{ID: 1, Level: policy.Owner, Admin: true}}, false},
		{"topic", Pusher{Who: policy.Who{ID: 1, Level: policy.Developer}}, true},
		{"topic", Pusher{Who: policy.Who{ID: 1, Level: policy.Reporter}}, false},
		{"topic", Pusher{Who: policy.Who{ID: 1, Admin: true}}, true},
		{"topic", Pusher{Who: policy.Who{ID: 1, Level: policy.Owner}, DeployKeyID: 9}, false},
	} {
		p := testProtection()
		p.by, p.groups = c.by, nil
		require.Equal(t, c.merge, p.MayMerge(c.name), "%s %+v", c.name, c.by)
		refused := p.Refuse(RefChange{Kind: Branch, Name: c.name, Do: MergeRef, Web: true})
		require.Equal(t, c.merge, refused == "", "%s %+v", c.name, c.by)
	}
}
