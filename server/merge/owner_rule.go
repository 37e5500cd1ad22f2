package merge

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/codeowners"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
	"hew/server/policy"
	"hew/server/tree"
)

// UpdateOwnerRules makes the code owner rules of a merge request of a project what the CODEOWNERS
// file of the target branch says about the files that it changes (more §6.3). It is called when a
// version is made and when the target branch is another one. A file that changes in between counts
// from the next version on, as in the public service; whether the branch demands approvals at all
// is asked whenever the rules are read. Rules keep their ids while they stay.
func UpdateOwnerRules(ctx context.Context, st *db.Store, g *code.Git, p tree.Project, r Request) error {
	var rules []Rule
	if !r.Head.IsZero() {
		changes, err := changesOf(ctx, g, r.Base, r.Head)
		if err == nil {
			rules, err = ownerRules(ctx, st, g, p, r, slices.Sorted(maps.Keys(changes)))
		}
		if err != nil {
			return err
		}
	}
	const given = `jsonb_to_recordset(@rules::jsonb) as g (
		section text, name text, required int, users bigint[], groups bigint[], roles int[])`
	type row struct {
		Section  string  `json:"section"`
		Name     string  `json:"name"`
		Required int     `json:"required"`
		Users    []int64 `json:"users"`
		Groups   []int64 `json:"groups"`
		Roles    []int   `json:"roles"`
	}
	rows := make([]row, len(rules))
	for n, rule := range rules {
		rows[n] = row{*rule.Section, rule.Name, rule.ApprovalsRequired, rule.UserIDs, rule.GroupIDs, rule.RoleLevels}
	}
	args := pgx.NamedArgs{"request": r.ID, "rules": rows}
	for _, sql := range []string{
		`delete from merge_request_rules t where t.merge_request_id = @request and t.rule_type = 'code_owner'
			and not exists (select from ` + given + ` where g.section = t.section and g.name = t.name)`,
		`insert into merge_request_rules (merge_request_id, rule_type, section, name, approvals_required, user_ids,
			group_ids, role_levels)
		 select @request, 'code_owner', g.section, g.name, g.required, g.users, g.groups, g.roles from ` + given + `
		 on conflict (merge_request_id, section, name) where rule_type in ('regular', 'code_owner') and not copied
		 do update set approvals_required = excluded.approvals_required, user_ids = excluded.user_ids,
			group_ids = excluded.group_ids, role_levels = excluded.role_levels, updated_at = now()`,
	} {
		if err := st.Exec(ctx, sql, args); err != nil {
			return err
		}
	}
	return nil
}

// changesOf returns the files that differ between two commits, by path: the entries before and
// after.
func changesOf(ctx context.Context, g *code.Git, from, to object.ID) (map[string][2]object.Entry, error) {
	commits, err := g.Commits(ctx, []object.ID{from, to})
	if err != nil {
		return nil, err
	}
	trees := map[object.ID]object.ID{}
	for _, c := range commits {
		trees[c.ID] = c.Tree
	}
	changes := map[string][2]object.Entry{}
	for c, err := range gittree.Diff(ctx, g, trees[from], trees[to]) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		changes[c.Path] = [2]object.Entry{c.Old, c.New}
	}
	return changes, nil
}

// ownerRules returns the rules that the CODEOWNERS file of the target branch has for files: one for
// each section and pattern. A file that is too large counts as none, as for pushes.
func ownerRules(
	ctx context.Context, st *db.Store, g *code.Git, p tree.Project, r Request, paths []string,
) ([]Rule, error) {
	target, err := g.FindBranch(ctx, "Branch", code.Heads+r.TargetBranch)
	if err != nil {
		return nil, fault.IgnoreNotFound(err)
	}
	file, err := g.CodeOwners(ctx, target.Commit.ID)
	if err != nil || file == nil {
		if errors.Is(err, codeowners.ErrTooLarge) {
			err = nil
		}
		return nil, err
	}
	type key struct{ section, pattern string }
	var matches []codeowners.Match
	seen := map[key]bool{}
	for _, path := range paths {
		for _, m := range file.Match(path) {
			k := key{m.Section.Name, m.Rule.Pattern}
			if len(m.Rule.Owners) > 0 && !seen[k] {
				seen[k] = true
				matches = append(matches, m)
			}
		}
	}
	known, err := findOwners(ctx, st, tree.InProject(p), matches)
	if err != nil {
		return nil, err
	}
	rules := make([]Rule, len(matches))
	for n, m := range matches {
		rules[n] = known.ruleOf(m)
	}
	slices.SortFunc(rules, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(*a.Section, *b.Section), cmp.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(rules, func(a, b Rule) bool { return *a.Section == *b.Section && a.Name == b.Name }), nil
}

// owners are the ids of those whom a CODEOWNERS file names, by kind and by name or e-mail address
// in lower case.
type owners map[ownerKey]int64

type ownerKey struct {
	Kind string `db:"kind"` // user, email, group
	Name string `db:"name"`
}

// findOwners returns those whom rules name. Only groups that the project is in or that were invited
// count (more §6.3); users without access count when they have it.
func findOwners(ctx context.Context, st *db.Store, src tree.Source, matches []codeowners.Match) (owners, error) {
	var names, addresses []string
	for _, m := range matches {
		for _, o := range m.Rule.Owners {
			switch {
			case o.Name != "":
				names = append(names, strings.ToLower(o.Name))
			case o.Email != "":
				addresses = append(addresses, strings.ToLower(o.Email))
			}
		}
	}
	if len(names)+len(addresses) == 0 {
		return nil, nil
	}
	args := src.Access()
	args["names"], args["addresses"] = names, addresses
	rows, err := db.Many[struct {
		ownerKey
		ID int64 `db:"id"`
	}](ctx, st, `
		select 'user' as kind, lower(u.username) as name, u.id from users u where lower(u.username) = any(@names)
		union all
		select 'email', lower(u.email), u.id from users u where lower(u.email) = any(@addresses)
		union all
		select 'group', lower(n.full_path), n.id from namespaces n
		where lower(n.full_path) = any(@names) and n.kind = 'group' and (n.id = any(@namespaces) or exists (
			select from shares s where s.group_id = n.id and `+tree.LastingShare+`
				and (s.project_id = @project or s.namespace_id = any(@namespaces))))`, args)
	known := owners{}
	for _, row := range rows {
		known[row.ownerKey] = row.ID
	}
	return known, err
}

// maxRuleName limits the name of a rule, in characters. A longer pattern is cut.
const maxRuleName = 1024

// maxRequired limits the approvals that a rule may require.
const maxRequired = 100

// ruleOf returns the rule of a match in a CODEOWNERS file.
func (known owners) ruleOf(m codeowners.Match) Rule {
	r := Rule{
		RuleType: CodeOwner, Section: new(cutName(m.Section.Name)), Name: cutName(m.Rule.Pattern),
		UserIDs: []int64{}, GroupIDs: []int64{}, RoleLevels: []int{},
	}
	if !m.Section.Optional {
		r.ApprovalsRequired = min(m.Section.Approvals, maxRequired)
	}
	add := func(ids []int64, kind, name string) []int64 {
		if id, ok := known[ownerKey{kind, strings.ToLower(name)}]; ok && name != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		return ids
	}
	for _, o := range m.Rule.Owners {
		r.UserIDs = add(add(r.UserIDs, "user", o.Name), "email", o.Email)
		r.GroupIDs = add(r.GroupIDs, "group", o.Name)
		if level, ok := policy.LevelNamed(o.Role); ok {
			r.RoleLevels = append(r.RoleLevels, int(level))
		}
	}
	return r
}

// cutName returns a text with as many characters as the name of a rule may have.
func cutName(text string) string {
	if runes := []rune(text); len(runes) > maxRuleName {
		return string(runes[:maxRuleName])
	}
	return text
}
