package merge_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/servertest"
	"hew/server/tree"
)

// proposal is a merge request of dev in a project that alice owns, where eve and mia are
// developers. Eve owns docs, mia owns src. The branch main has both, topic changes both.
type proposal struct {
	*servertest.Server
	t                    *testing.T
	alice, dev, eve, mia servertest.Persona
	project              tree.Project
	path                 string // of the merge request
	base, head           object.ID
	request              int64
}

// proposals counts the proposals, whose users have names of their own on the shared server.
var proposals atomic.Int64

func propose(t *testing.T) *proposal {
	s := servertest.Start(t)
	p := &proposal{Server: s, t: t}
	n := proposals.Add(1)
	for name, who := range map[string]*servertest.Persona{
		"alice": &p.alice, "dev": &p.dev, "eve": &p.eve, "mia": &p.mia,
	} {
		*who = s.User(t, fmt.Sprint(name, n))
	}
	var made struct{ ID int64 }
	s.Do(t, p.alice.Token, "POST", "/projects", map[string]any{
		"name": "site", "path": "site", "initialize_with_readme": true,
	}).Into(t, &made)
	var err error
	p.project, err = tree.FindProject(t.Context(), s.Store, made.ID)
	require.NoError(t, err)
	for _, u := range []servertest.Persona{p.dev, p.eve, p.mia} {
		p.do(p.alice, "POST", "/members", map[string]any{"user_id": u.ID, "access_level": 30}, 201)
	}
	p.base = p.commit(p.alice, "main", "main", map[string]string{
		"CODEOWNERS": "docs/ @" + p.eve.Username + "\nsrc/ @" + p.mia.Username + "\n",
	}, "create")
	p.head = p.commit(p.dev, "topic", "main", map[string]string{"docs/a": "1\n", "src/a": "1\n"}, "create")
	var r struct{ ID, IID int64 }
	p.do(p.dev, "POST", "/merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Change", "reviewer_ids": []int64{p.eve.ID},
	}, 201).Into(t, &r)
	p.request, p.path = r.ID, fmt.Sprint("/merge_requests/", r.IID)
	return p
}

// do sends a request to the project and expects a status.
func (p *proposal) do(as servertest.Persona, method, path string, body any, status int) servertest.Reply {
	p.t.Helper()
	r := p.Do(p.t, as.Token, method, fmt.Sprintf("/projects/%d%s", p.project.ID, path), body)
	require.Equal(p.t, status, r.Status, "%s %s: %s", method, path, r.Body)
	return r
}

// commit commits files to a branch, which it makes from another one if they differ.
func (p *proposal) commit(
	as servertest.Persona, branch, from string, files map[string]string, action string,
) object.ID {
	p.t.Helper()
	var actions []map[string]any
	for path, text := range files {
		actions = append(actions, map[string]any{"action": action, "file_path": path, "content": text})
	}
	body := map[string]any{"branch": branch, "commit_message": "Change", "actions": actions}
	if branch != from {
		body["start_branch"] = from
	}
	var made struct{ ID string }
	p.do(as, "POST", "/repository/commits", body, 201).Into(p.t, &made)
	id, err := object.ParseID(made.ID)
	require.NoError(p.t, err)
	return id
}

// settings changes the approval settings of the project.
func (p *proposal) settings(change map[string]any) {
	p.t.Helper()
	p.do(p.alice, "PUT", "/merge_request_approval_setting", change, 200)
}

// row returns the merge request as it is stored.
func (p *proposal) row() merge.Request {
	p.t.Helper()
	r, err := merge.Requests(p.Store, p.project.ID).One(p.t.Context(), db.ByID(p.request))
	require.NoError(p.t, err)
	return r
}

// state returns the approvals of the merge request.
func (p *proposal) state() merge.Approvals {
	p.t.Helper()
	a, err := merge.ReadApprovals(p.t.Context(), p.Store, p.project, p.row(), 0)
	require.NoError(p.t, err)
	return a
}

// Which approvals a push ends (more §6.3).
func TestResetApprovals(t *testing.T) {
	t.Parallel()
	retain := map[string]any{"retain_approvals_on_push": true}
	selective := map[string]any{"retain_approvals_on_push": true, "selective_code_owner_removals": true}
	docs := map[string]string{"docs/a": "2\n"}
	both := map[string]string{"docs/a": "2\n", "src/a": "2\n"}
	for name, c := range map[string]struct {
		settings map[string]any
		files    map[string]string // that the push changes; nil: the branch is rebased
		eve, mia bool              // whether the approval stays
	}{
		"another change":              {nil, docs, false, false},
		"a plain rebase":              {nil, nil, true, true},
		"retained":                    {retain, docs, true, true},
		"files of one owner":          {selective, docs, false, true},
		"files of both":               {selective, both, false, false},
		"files of nobody":             {selective, map[string]string{"README.md": "new\n"}, true, true},
		"the same, of the code owner": {selective, nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := propose(t)
			if c.settings != nil {
				p.settings(c.settings)
			}
			p.do(p.eve, "POST", p.path+"/approve", nil, 201)
			p.do(p.mia, "POST", p.path+"/approve", nil, 201)
			if c.files != nil {
				p.commit(p.dev, "topic", "topic", c.files, "update")
			} else {
				p.commit(p.alice, "main", "main", map[string]string{"other": "1\n"}, "create")
				p.do(p.dev, "PUT", p.path+"/rebase", nil, 202)
			}
			p.Drain(t)
			require.NotEqual(t, p.head, p.row().Head)
			a := p.state()
			require.Equal(t, c.eve, a.HasApproved(p.eve.ID), "of eve")
			require.Equal(t, c.mia, a.HasApproved(p.mia.ID), "of mia")
			state, err := db.Value[string](t.Context(), p.Store, `
				select state from merge_request_reviewers where merge_request_id = (
					select id from merge_requests where id = `+fmt.Sprint(p.request)+`)`, nil)
			require.NoError(t, err)
			require.Equal(t, map[bool]string{true: "approved", false: "unapproved"}[c.eve], state)
		})
	}
}

// Two approvals at once both count, and one user who approves twice at once does once.
func TestApproveAtOnce(t *testing.T) {
	t.Parallel()
	p := propose(t)
	p.do(p.alice, "POST", "/approval_rules", map[string]any{"name": "two", "approvals_required": 2,
		"user_ids": []int64{p.eve.ID, p.mia.ID}}, 201)
	statuses := make(chan int, 4)
	for _, as := range []servertest.Persona{p.eve, p.mia, p.eve, p.mia} {
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf(
				"%s/projects/%d%s/approve", p.URL, p.project.ID, p.path), nil)
			if err == nil {
				r.Header.Set("Private-Token", as.Token)
				var answer *http.Response
				if answer, err = http.DefaultClient.Do(r); err == nil {
					statuses <- answer.StatusCode
					err = answer.Body.Close()
				}
			}
			if err != nil {
				statuses <- 0
			}
		}()
	}
	count := map[int]int{}
	for range 4 {
		count[<-statuses]++
	}
	require.Equal(t, map[int]int{201: 2, 401: 2}, count)
	a := p.state()
	require.True(t, a.Approved())
	require.Len(t, a.Given, 2)
	notes, err := db.Values[string](t.Context(), p.Store,
		`select body from notes where system and body like '%approved%' and merge_request_id = @id`,
		pgx.NamedArgs{"id": p.request})
	require.NoError(t, err)
	require.Equal(t, []string{"approved this merge request", "approved this merge request"}, notes)
}

// Where the settings demand the password, only that of the user is accepted, and none of a user who
// has none.
func TestPassword(t *testing.T) {
	t.Parallel()
	p := propose(t)
	p.settings(map[string]any{"require_reauthentication_to_approve": true})
	for _, body := range []any{nil, map[string]any{"approval_password": ""}, map[string]any{"approval_password": "x"}} {
		p.do(p.eve, "POST", p.path+"/approve", body, 401)
	}
	const password = "correct-horse-battery-9"
	r := p.Do(t, servertest.RootToken, "PUT", fmt.Sprint("/users/", p.eve.ID), map[string]any{"password": password})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	p.do(p.eve, "POST", p.path+"/approve", map[string]any{"approval_password": password + "0"}, 401)
	p.do(p.eve, "POST", p.path+"/approve", map[string]any{"approval_password": password}, 201)
	p.do(p.eve, "POST", p.path+"/approve", map[string]any{"approval_password": password}, 401)
}

// The author and those who committed may not approve unless the settings allow it.
func TestBarred(t *testing.T) {
	t.Parallel()
	p := propose(t)
	p.do(p.dev, "POST", p.path+"/approve", nil, 401)
	p.settings(map[string]any{"allow_author_approval": true, "allow_committer_approval": false})
	p.do(p.dev, "POST", p.path+"/approve", nil, 401) // committed as well
	p.do(p.eve, "POST", p.path+"/approve", nil, 201)
	p.settings(map[string]any{"allow_committer_approval": true})
	p.do(p.dev, "POST", p.path+"/approve", nil, 201)
	p.do(p.dev, "PUT", p.path, map[string]any{"state_event": "close"}, 200)
	p.do(p.mia, "POST", p.path+"/approve", nil, 401)
	p.do(p.eve, "POST", p.path+"/unapprove", nil, 401)
}

// Rules of code owners are required while the target branch demands it, and a merged request keeps
// the rules and approvals that it was merged with.
func TestFrozen(t *testing.T) {
	t.Parallel()
	p := propose(t)
	p.do(p.alice, "PATCH", "/protected_branches/main", map[string]any{"code_owner_approval_required": true}, 200)
	var rule struct{ ID int64 }
	p.do(p.alice, "POST", "/approval_rules", map[string]any{
		"name": "any", "approvals_required": 1, "rule_type": "any_approver",
	}, 201).Into(t, &rule)
	p.do(p.eve, "POST", p.path+"/approve", nil, 201)
	names := func(list []merge.RuleState) (all []string) {
		for _, r := range list {
			all = append(all, fmt.Sprint(r.Name, " ", r.ApprovalsRequired, " ", len(r.ApprovedBy)))
		}
		return all
	}
	require.Equal(t, []string{"any 1 1", "docs/ 1 1", "src/ 1 0"}, names(p.state().Rules))
	ok, missing, err := merge.IsApproved(t.Context(), p.Store, p.project, p.row())
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, []string{"src/ 1 0"}, names(missing))
	p.do(p.mia, "POST", p.path+"/approve", nil, 201)
	by, err := tree.FindUser(t.Context(), p.Store, p.alice.ID)
	require.NoError(t, err)
	_, err = merge.Change(t.Context(), p.Store, p.project, by, p.request, func(_ *db.Store, r *merge.Request) error {
		r.State = merge.Merged
		return nil
	})
	require.NoError(t, err)
	p.do(p.alice, "DELETE", fmt.Sprint("/approval_rules/", rule.ID), nil, 204)
	p.do(p.alice, "PATCH", "/protected_branches/main", map[string]any{"code_owner_approval_required": false}, 200)
	p.do(p.alice, "DELETE", fmt.Sprint("/members/", p.eve.ID), nil, 204)
	require.Equal(t, []string{"any 1 2", "docs/ 1 1", "src/ 1 1"}, names(p.state().Rules))
	p.do(p.mia, "POST", p.path+"/unapprove", nil, 401)
	p.do(p.alice, "POST", p.path+"/approvals", map[string]any{"approvals_required": 0}, 403)
}
