package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/tree"
)

const (
	bareProjectTables = ` from projects p join namespaces n on n.id = p.namespace_id`
	bareMineProjects  = bareProjectTables + ` where n.traversal_ids && array(` + bareGrants + `)`
	bareProjectShares = `select s.project_id, i.id, i.name, i.full_path, s.group_access, s.expires_at
		from shares s join namespaces i on i.id = s.group_id where s.project_id = any($1) order by s.id`
	bareLevels = `select p.id, coalesce((select max(m.access_level) from members m
			where m.user_id = $1 and (m.namespace_id = any(n.traversal_ids) or m.project_id = p.id)), 0)` +
		bareProjectTables + ` where p.id = any($2)`
)

func (h *bare) showProject(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	views, err := h.read(r.Context(), h.caller(r), `select p.*`+bareProjectTables+` where p.id = $2
		and (p.visibility > 0 or n.traversal_ids && array(`+bareGrants+`))`, id)
	if err == nil && len(views) == 0 {
		err = fmt.Errorf("there is no project %d", id)
	}
	if err != nil {
		answerBare(w, nil, err)
		return
	}
	answerBare(w, views[0], nil)
}

func (h *bare) listProjects(w http.ResponseWriter, r *http.Request) {
	limit, err := strconv.Atoi(r.URL.Query().Get("per_page"))
	user := h.caller(r)
	if user == 0 || err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	var total int
	err = h.pool.QueryRow(r.Context(), `select count(*) from (select`+bareMineProjects+` limit 10001) counted`, user).
		Scan(&total)
	var views []json.RawMessage
	if err == nil {
		views, err = h.read(r.Context(), user, `select p.*`+bareMineProjects+`
			order by p.created_at desc, p.id desc limit $2`, limit)
	}
	w.Header().Set("X-Total", strconv.Itoa(total))
	answerBare(w, views, err)
}

// read reads projects, the levels of the user in them, and whom they are shared with.
func (h *bare) read(ctx context.Context, user int64, sql string, arg any) (views []json.RawMessage, err error) {
	rows, err := h.pool.Query(ctx, sql, user, arg)
	if err != nil {
		return nil, err
	}
	projects, err := pgx.CollectRows(rows, pgx.RowToStructByNameLax[tree.Project])
	ids := make([]int64, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
		known, ok := h.projects.Load(p.ID)
		if !ok {
			known = json.RawMessage(h.learn(fmt.Sprintf("/projects/%d", p.ID)))
			h.projects.Store(p.ID, known)
		}
		views = append(views, known.(json.RawMessage))
	}
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	discard := func(rows pgx.Rows) error {
		for rows.Next() {
			if _, err := rows.Values(); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	batch.Queue(bareLevels, user, ids).Query(discard)
	batch.Queue(bareProjectShares, ids).Query(discard)
	return views, h.pool.SendBatch(ctx, batch).Close()
}
