package group_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/tree"
)

// Every order of the billable members, and what it does with those who never did what it goes by.
func TestBillableOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	acme := w.Group("acme", nil, 0)
	web := w.Group("web", &acme, 0)
	for i, m := range []struct {
		name      string
		level     int
		sql       string
		lateLevel int // of another membership, which is newer
	}{
		{"ann", 30, `current_sign_in_at = '2026-01-03', last_activity_on = '2026-01-01'`, 0},
		{"bob", 20, `last_sign_in_at = '2026-01-05'`, 50},
		{"cat", 40, `last_activity_on = '2026-01-09'`, 0},
	} {
		u := w.User(m.name)
		first := w.Member(group.NewMember(tree.InGroup(acme), u.ID, m.level))
		exec := func(sql string) {
			_, err := w.DB().Exec(ctx, sql)
			require.NoError(t, err)
		}
		exec(`update users set ` + m.sql + ` where id = ` + strconv.FormatInt(u.ID, 10))
		exec(`update members set created_at = '2026-02-0` + strconv.Itoa(3-i) + `'
			where id = ` + strconv.FormatInt(first.ID, 10))
		if m.lateLevel > 0 {
			w.Member(group.NewMember(tree.InGroup(web), u.ID, m.lateLevel))
		}
	}
	for order, want := range map[string]struct{ up, down string }{
		"":                 {"ann bob cat", "cat bob ann"},
		"name":             {"ann bob cat", "cat bob ann"},
		"access_level":     {"ann cat bob", "bob cat ann"},
		"joined":           {"cat bob ann", "ann bob cat"},
		"first_login":      {"ann bob cat", ""},
		"last_login":       {"", "bob ann cat"},
		"last_activity_on": {"bob ann cat", "cat ann bob"},
	} {
		for desc, want := range map[bool]string{false: want.up, true: want.down} {
			if want == "" {
				continue
			}
			list, total, err := group.BillableMembers(
				ctx, w.Store, acme.ID, "", db.Page{Limit: 9, Order: order, Desc: desc},
			)
			require.NoError(t, err)
			require.Equal(t, 3, total)
			require.Equal(t, want, list[0].Name+" "+list[1].Name+" "+list[2].Name, "%s, desc %t", order, desc)
		}
	}
}
