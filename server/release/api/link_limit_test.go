package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// TestManyLinks: a release can begin with as many links as it may have, in their order.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u := s.User(t, "manylinks")
	var p servertest.Made
	s.Do(t, u.Token, "POST", "/projects", map[string]any{"name": "site", "initialize_with_readme": true}).Into(t, &p)
	at := fmt.Sprintf("/projects/%d/releases", p.ID)
	create := func(tag string, n int) servertest.Reply {
		links := make([]any, n)
		for i := range links {
			links[i] = map[string]any{"name": fmt.Sprint("file ", i), "url": fmt.Sprint("https://example.com/", i)}
		}
		return s.Do(t, u.Token, "POST", at, map[string]any{
			"tag_name": tag, "ref": "main", "assets": map[string]any{"links": links},
		})
	}
	const tooMany = `{"message": {"links": ["are too many (a release may have 1000)"]}}`
	reply := create("v1", 1001)
	require.Equal(t, 400, reply.Status)
	require.JSONEq(t, tooMany, string(reply.Body))
	reply = create("v1", 1000)
	require.Equal(t, 201, reply.Status, string(reply.Body))
	var made struct {
		Assets struct {
			Links []struct {
				Name string `json:"name"`
				Type string `json:"link_type"`
			} `json:"links"`
		} `json:"assets"`
	}
	reply.Into(t, &made)
	require.Len(t, made.Assets.Links, 1000)
	require.Equal(t, "file 999", made.Assets.Links[0].Name, "the newest first")
	require.Equal(t, "other", made.Assets.Links[0].Type)
	reply = s.Do(t, u.Token, "POST", at+"/v1/assets/links", map[string]any{"name": "x", "url": "https://example.com/x"})
	require.Equal(t, 400, reply.Status)
	require.JSONEq(t, tooMany, string(reply.Body))
}
