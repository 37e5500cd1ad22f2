package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/tree"
)

// bare is the least that answers the benchmark's requests with the same JSON: net/http, pgx,
// encoding/json, and a map of tokens. It relies on the content of the estate and on the requests:
// no expiry, no sudo, no owners, no projects in lists of groups. It reads the rows of projects as
// hewd does, but their JSON, which has a hundred fields, it learns from hewd.
type bare struct {
	pool  *pgxpool.Pool
	base  string
	users sync.Map // digest of a token → id of its user

	learn    func(path string) []byte // asks hewd
	projects sync.Map                 // id → JSON
}

// bareGroup is a group in a list; in a view of it alone it has the details, too.
type bareGroup struct {
	ID          int64         `json:"id"`
	WebURL      string        `json:"web_url"`
	Name        string        `json:"name"`
	Path        string        `json:"path"`
	Description string        `json:"description"`
	Visibility  db.Visibility `json:"visibility"`
	tree.GroupFlags
	EmailsDisabled      bool      `json:"emails_disabled"`
	AvatarURL           *string   `json:"avatar_url"`
	FullName            string    `json:"full_name"`
	FullPath            string    `json:"full_path"`
	CreatedAt           time.Time `json:"created_at"`
	ParentID            *int64    `json:"parent_id"`
	OrganizationID      int64     `json:"organization_id"`
	MarkedForDeletionOn *db.Date  `json:"marked_for_deletion_on"`
}

type bareDetail struct {
	bareGroup
	tree.GroupDetails
	SharedWithGroups []bareShare    `json:"shared_with_groups"`
	Projects         []tree.Project `json:"projects,omitzero"`
	SharedProjects   []tree.Project `json:"shared_projects,omitzero"`
}

type bareShare struct {
	GroupID          int64    `json:"group_id"`
	GroupName        string   `json:"group_name"`
	GroupFullPath    string   `json:"group_full_path"`
	GroupAccessLevel int      `json:"group_access_level"`
	ExpiresAt        *db.Date `json:"expires_at"`
}

const (
	bareColumns = `n.id, n.name, n.path, n.description, n.visibility, n.avatar, n.full_name, n.full_path, n.created_at,
		n.parent_id, n.marked_for_deletion_on, n.settings`
	bareGrants = `select m.namespace_id from members m where m.user_id = $1
		union all select s.namespace_id from shares s join members m on m.namespace_id = s.group_id
			where m.user_id = $1`
	bareMine = ` from namespaces n where n.kind = 'group' and n.traversal_ids && array(` + bareGrants + `)`
	bareOne  = `select ` + bareColumns + ` from namespaces n where n.kind = 'group' and n.id = $2
		and (n.visibility > 0 or n.traversal_ids && array(` + bareGrants + `))`
	bareShares = `select i.id, i.name, i.full_path, s.group_access, s.expires_at
		from shares s join namespaces i on i.id = s.group_id where s.namespace_id = $1 order by s.id`
	bareProjects = `select p.id from projects p where p.namespace_id = $1 order by p.id limit 100`
	bareShared   = `select s.project_id from shares s where s.group_id = $1 and s.project_id is not null limit 100`
)

// serveBare starts one on the database of a hewd, with a pool of the same size, and returns its
// address.
func serveBare(b *testing.B, pool *pgxpool.Pool, base string) (*bare, string) {
	b.Helper()
	own, err := pgxpool.NewWithConfig(b.Context(), pool.Config())
	require.NoError(b, err)
	h := &bare{pool: own, base: base}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /api/v4/groups", h.list)
	routes.HandleFunc("GET /api/v4/groups/{id}", h.show)
	routes.HandleFunc("GET /api/v4/projects", h.listProjects)
	routes.HandleFunc("GET /api/v4/projects/{id}", h.showProject)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	server := &http.Server{Handler: routes}
	go func() { _ = server.Serve(listener) }() // ends by Close
	b.Cleanup(func() {
		require.NoError(b, server.Close())
		own.Close()
	})
	return h, listener.Addr().String()
}

// caller is the user who sends a request, 0 if nobody does.
func (h *bare) caller(r *http.Request) int64 {
	id, _ := h.users.Load(sha256.Sum256([]byte(r.Header.Get("Private-Token"))))
	user, _ := id.(int64)
	return user
}

func (h *bare) list(w http.ResponseWriter, r *http.Request) {
	user, query := h.caller(r), r.URL.Query()
	limit, err := strconv.Atoi(query.Get("per_page"))
	if user == 0 || err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	var groups []bareGroup
	total := 0
	batch := &pgx.Batch{}
	if !query.Has("uncounted") {
		batch.Queue(`select count(*) from (select`+bareMine+` limit 10001) counted`, user).QueryRow(
			func(row pgx.Row) error { return row.Scan(&total) })
	}
	batch.Queue(`select `+bareColumns+bareMine+` order by n.name, n.id limit $2`, user, limit).Query(
		func(rows pgx.Rows) (err error) {
			groups, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (bareGroup, error) {
				g, _, err := h.scan(row)
				return g, err
			})
			return err
		})
	err = h.pool.SendBatch(r.Context(), batch).Close()
	w.Header().Set("X-Total", strconv.Itoa(total))
	answerBare(w, groups, err)
}

func (h *bare) show(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	v, err := h.detail(r.Context(), h.caller(r), id, r.URL.Query().Get("with_projects") != "false")
	answerBare(w, v, err)
}

func (h *bare) detail(ctx context.Context, user, id int64, projects bool) (v bareDetail, err error) {
	batch := &pgx.Batch{}
	batch.Queue(bareOne, user, id).QueryRow(func(row pgx.Row) (err error) {
		v.bareGroup, v.GroupDetails, err = h.scan(row)
		return err
	})
	batch.Queue(bareShares, id).Query(func(rows pgx.Rows) (err error) {
		v.SharedWithGroups, err = pgx.CollectRows(rows, pgx.RowToStructByPos[bareShare])
		return err
	})
	if projects {
		batch.Queue(bareProjects, id).Query(func(rows pgx.Rows) (err error) {
			v.Projects, err = pgx.CollectRows(rows, pgx.RowToStructByPos[tree.Project])
			return err
		})
		batch.Queue(bareShared, id).Query(func(rows pgx.Rows) (err error) {
			v.SharedProjects, err = pgx.CollectRows(rows, pgx.RowToStructByPos[tree.Project])
			return err
		})
	}
	return v, h.pool.SendBatch(ctx, batch).Close()
}

func (h *bare) scan(row pgx.Row) (g bareGroup, d tree.GroupDetails, err error) {
	var settings tree.GroupSettings
	err = row.Scan(&g.ID, &g.Name, &g.Path, &g.Description, &g.Visibility, &g.AvatarURL, &g.FullName, &g.FullPath,
		&g.CreatedAt,
		&g.ParentID, &g.MarkedForDeletionOn, &settings)
	g.WebURL, g.OrganizationID = h.base+"/groups/"+g.FullPath, 1
	g.GroupFlags, g.EmailsDisabled = settings.GroupFlags, !settings.EmailsEnabled
	return g, settings.GroupDetails, err
}

func answerBare(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a client that is gone
}
