package ci

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
	"hew/server/work/duration"
)

// Upload is an artifact that a runner sends.
type Upload struct {
	Type     string // archive, or the kind of a report
	Format   string // zip, gzip, raw
	Name     string // of the file
	ExpireIn string // a duration, never, or empty for the default of the instance
	Private  bool
	Content  io.Reader
}

// archiveFormats are the formats in which an archive can be read.
var archiveFormats = []string{"zip"}

var artifactFormats = []string{"zip", "gzip", "raw"}

// serverMade are the types that no runner sends.
var serverMade = []string{TraceFile, MetadataFile}

func (u Upload) check() error {
	switch {
	case slices.Contains(serverMade, u.Type), u.Type == "", len(u.Type) > 64, strings.Trim(u.Type, typeLetters) != "":
		return fault.Param("artifact_type does not have a valid value")
	case !slices.Contains(artifactFormats, u.Format),
		u.Type == ArchiveFile && !slices.Contains(archiveFormats, u.Format):
		return fault.Param("artifact_format does not have a valid value")
	}
	return nil
}

const typeLetters = "abcdefghijklmnopqrstuvwxyz_"

// ArtifactLimit returns how many bytes an artifact of a type of a job of a project may have: as the
// project, the nearest of its groups, or the instance says, or less for some reports.
func ArtifactLimit(ctx context.Context, st *db.Store, projectID int64, kind string) (int64, error) {
	limit, err := artifactLimit(ctx, st, projectID)
	if most, ok := typeLimits[kind]; ok {
		limit = min(limit, most<<20)
	}
	return limit, err
}

// typeLimits are how many megabytes artifacts of some types have at most.
var typeLimits = map[string]int64{
	"lsif": 200, "dependency_scanning": 350, "container_scanning": 150, "license_scanning": 100, "cyclonedx": 5,
	"terraform": 5, "repository_xray": 1024,
}

// artifactLimit returns the limit of artifacts of all types.
func artifactLimit(ctx context.Context, st *db.Store, projectID int64) (int64, error) {
	own, err := db.Values[*int64](ctx, st, `
		select coalesce((p.settings ->> 'max_artifacts_size')::bigint, (
			select (a.settings ->> 'max_artifacts_size')::bigint from namespaces a
			where a.id = any(n.traversal_ids) and a.settings ->> 'max_artifacts_size' is not null
			order by array_position(n.traversal_ids, a.id) desc limit 1))
		`+tree.ProjectTables+` where p.id = @id`, pgx.NamedArgs{"id": projectID})
	if err != nil {
		return 0, err
	}
	if len(own) > 0 && own[0] != nil {
		return *own[0] << 20, nil
	}
	settings, err := setting.Read(ctx, st)
	return settings.MaxArtifactsSize << 20, err
}

// StoreArtifact stores an artifact of a running job, and what follows from it: the list of the
// files of an archive, the variables of a dotenv report. It must be called outside of a
// transaction.
func StoreArtifact(ctx context.Context, st *db.Store, j Job, u Upload) error {
	if err := u.check(); err != nil {
		return err
	}
	limit, err := ArtifactLimit(ctx, st, j.ProjectID, u.Type)
	if err != nil {
		return err
	}
	expire, err := expiry(ctx, st, u.ExpireIn, time.Now())
	if err != nil {
		return err
	}
	access, err := accessOf(ctx, st, j, u)
	if err != nil {
		return err
	}
	ref, err := blob.Put(ctx, st, u.Content, limit)
	if err != nil {
		return err
	}
	a := Artifact{
		ProjectID: j.ProjectID, JobID: j.ID, FileType: u.Type, FileFormat: u.Format, Filename: fileName(u),
		BlobID: ref.ID, Size: ref.Size, Access: access, ExpireAt: expire,
	}
	rows := []Artifact{a}
	then := func(*db.Store) error { return nil }
	switch u.Type {
	case ArchiveFile:
		m, err := metadataOf(ctx, st, a)
		if err != nil {
			return err
		}
		rows = append(rows, m)
	case DotenvFile:
		list, err := readDotenv(ctx, st, a)
		if err != nil {
			return err
		}
		then = func(st *db.Store) error { return storeDotenv(ctx, st, j.ID, list) }
	}
	return st.Tx(ctx, func(st *db.Store) error {
		if err := insertArtifacts(ctx, st, rows); err != nil {
			return err
		}
		return then(st)
	})
}

// insertArtifacts stores artifacts of a job that still runs. One that is there already is left as
// it is, if it is the same: a runner repeats what it has no answer to.
func insertArtifacts(ctx context.Context, st *db.Store, rows []Artifact) error {
	args := pgx.NamedArgs{"job": rows[0].JobID, "expire": rows[0].ExpireAt}
	runs, err := db.Value[bool](ctx, st, `
		select exists (select from jobs where id = @job and status in ('running', 'canceling'))`, args)
	if err != nil {
		return err
	}
	if !runs {
		return errNotRunning()
	}
	was, err := db.Many[Artifact](ctx, st, selectArtifacts+` where t.job_id = @job`, args)
	if err != nil {
		return err
	}
	for _, a := range rows {
		at := slices.IndexFunc(was, func(old Artifact) bool { return old.FileType == a.FileType })
		switch {
		case at >= 0 && was[at].BlobID == a.BlobID:
			continue
		case at >= 0:
			return fault.BadRequest("another artifact of the same type already exists")
		}
		if _, err := st.Insert(ctx, "job_artifacts", a); err != nil {
			return err
		}
	}
	return st.Exec(ctx, `update jobs set artifacts_expire_at = @expire, contacted_at = now() where id = @job`, args)
}

// fileName returns the last part of the name that a runner gives a file.
func fileName(u Upload) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(u.Name, "_"), `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		name = u.Type
	}
	return string([]rune(name)[:min(len([]rune(name)), maxFileName)])
}

// maxFileName is how many characters of the name of a file are kept.
const maxFileName = 255

// expiry returns when an artifact expires that is uploaded now; nil is never.
func expiry(ctx context.Context, st *db.Store, in string, now time.Time) (*time.Time, error) {
	if in == "" {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return nil, err
		}
		in = settings.ArtifactsExpireIn
	}
	if in == "never" || in == "0" || in == "" {
		return nil, nil
	}
	seconds, ok := duration.ParseCalendar(in)
	if !ok || seconds > maxExpiry {
		return nil, fault.Param("expire_in is invalid")
	}
	if seconds == 0 {
		return nil, nil
	}
	return new(now.Add(time.Duration(seconds) * time.Second).UTC().Truncate(time.Millisecond)), nil
}

// maxExpiry is the longest expiry of an artifact: a hundred years, in seconds.
const maxExpiry = 100 * 365 * 24 * 60 * 60

// accessOf returns who may read an artifact, as the definition of its job says.
func accessOf(ctx context.Context, st *db.Store, j Job, u Upload) (string, error) {
	d, err := ReadDefinition(ctx, st, j)
	a := d.Options.Artifacts
	switch {
	case a != nil && a.Access != "":
		return a.Access, err
	case u.Private || a != nil && a.Public != nil && !*a.Public:
		return DeveloperAccess, err
	}
	return AllAccess, err
}
