package api_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// Who sees a snippet is the same in lists, by its id, and below its project, and it is what this
// test says.
func TestVisibility(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	author, guest := s.User(t, "author"), s.User(t, "guest")
	stranger, external := s.User(t, "stranger"), s.User(t, "external")
	s.Do(t, s.RootToken, "PUT", fmt.Sprint("/users/", external.ID), map[string]any{"external": true})
	levels := []string{"private", "internal", "public"}
	type snippet struct {
		ID                                int64
		project                           int64
		visibility, shownBy, snippetLevel string // of the snippet, of its project, and who may use the feature
	}
	var all []snippet
	add := func(project int64, shownBy, access string) {
		for _, v := range levels {
			base := ""
			if project != 0 {
				base = fmt.Sprint("/projects/", project)
			}
			reply := s.Do(t, author.Token, "POST", base+"/snippets", map[string]any{
				"title": v, "content": "x", "visibility": v,
			})
			require.Equal(t, 201, reply.Status, string(reply.Body))
			made := snippet{project: project, visibility: v, shownBy: shownBy, snippetLevel: access}
			reply.Into(t, &made)
			all = append(all, made)
		}
	}
	add(0, "", "")
	for _, shownBy := range levels {
		for _, access := range []string{"enabled", "private", "disabled"} {
			var made servertest.Made
			s.Do(t, author.Token, "POST", "/projects", map[string]any{
				"name": shownBy + access, "visibility": shownBy,
			}).Into(t, &made)
			s.Do(t, author.Token, "POST", fmt.Sprint("/projects/", made.ID, "/members"),
				map[string]any{"user_id": guest.ID, "access_level": 10})
			add(made.ID, shownBy, "enabled")
			for i := len(all) - 3; i < len(all); i++ {
				all[i].snippetLevel = access
			}
			s.Do(t, author.Token, "PUT", fmt.Sprint("/projects/", made.ID),
				map[string]any{"snippets_access_level": access})
		}
	}
	open := func(visibility, who string) bool {
		return visibility == "public" || visibility == "internal" && who != "external" && who != "nobody"
	}
	// sees is the rule: the stricter of the project and the snippet decides.
	sees := func(who string, x snippet) bool {
		member := x.project != 0 && slices.Contains([]string{"author", "guest"}, who)
		own := who == "author" || who == "root" || member || open(x.visibility, who)
		if x.project == 0 {
			return own
		}
		inProject := member || who == "root" || open(x.shownBy, who) && x.snippetLevel == "enabled"
		return own && inProject && x.snippetLevel != "disabled"
	}
	for who, token := range map[string]string{
		"root": s.RootToken, "author": author.Token, "guest": guest.Token, "stranger": stranger.Token,
		"external": external.Token, "nobody": "",
	} {
		var want, byID, listed []int64
		for _, x := range all {
			if sees(who, x) {
				want = append(want, x.ID)
			}
			status := s.Do(t, token, "GET", fmt.Sprint("/snippets/", x.ID), nil).Status
			if status == 200 {
				byID = append(byID, x.ID)
			}
			if x.project != 0 {
				reply := s.Do(t, token, "GET", fmt.Sprint("/projects/", x.project, "/snippets/", x.ID), nil)
				require.Equal(t, status == 200, reply.Status == 200, "%s %+v: %s", who, x, reply.Body)
			}
		}
		require.Equal(t, want, byID, who)
		if token == "" {
			continue
		}
		var list []snippet
		s.Do(t, token, "GET", "/snippets/all?per_page=100", nil).Into(t, &list)
		for _, x := range list {
			listed = append(listed, x.ID)
		}
		slices.Reverse(listed)
		require.Equal(t, want, listed, who)
	}
}
