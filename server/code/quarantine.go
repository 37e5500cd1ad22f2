package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/git/pack"
)

const (
	// A pack with fewer objects and bytes than these becomes rows of objects, as those of a commit
	// of the API: small packs would soon be many.
	unpackObjects, unpackBytes = 100, 1 << 20
)

// quarantine holds the pack of a push on disk until its refs have moved.
type quarantine struct {
	copy  *workCopy
	lent  []*workCopy // copy, and the one before it that dir is in, if garbage was collected meanwhile
	dir   string      // an object directory of git, beside those of the copy
	name  string      // of the pack, without extension; empty: no objects came
	hash  string      // hexadecimal, that git names it by
	pack  *pack.Pack
	epoch int64 // of the repository, when the objects were found complete
	tips  []object.ID

	packID blob.Ref // once stored, unless it is small
	index  blob.Ref
}

// quarantine reads the pack of the push, checks its objects, and that none is missing.
func (r *reception) quarantine(ctx context.Context, g *Git) (*quarantine, error) {
	if g.storage.git == nil {
		return nil, errNoGit
	}
	c, err := g.lend(ctx)
	if err != nil {
		return nil, err
	}
	q := &quarantine{copy: c, lent: []*workCopy{c}, epoch: g.GCEpoch}
	for _, c := range r.push.Commands {
		if !c.IsDelete() {
			q.tips = append(q.tips, c.New)
		}
	}
	if !r.push.NeedsPack() {
		return q, nil
	}
	if q.dir, err = os.MkdirTemp(c.dir, "incoming-"); err != nil {
		q.remove()
		return nil, err
	}
	if err := q.receive(ctx, r); err != nil {
		q.remove()
		return nil, err
	}
	if q.pack != nil {
		g.extra = append(g.extra, q.pack)
	}
	if err := q.connect(ctx, g); err != nil {
		q.remove()
		return nil, err
	}
	return q, nil
}

// env makes git read objects from the quarantine and the copy, and write into the quarantine.
func (q *quarantine) env() []string {
	return []string{
		"GIT_OBJECT_DIRECTORY=" + q.dir,
		alternates + filepath.Join(q.copy.dir, "objects"),
	}
}

// receive has git check the pack and write its index.
func (q *quarantine) receive(ctx context.Context, r *reception) error {
	if err := os.Mkdir(filepath.Join(q.dir, "pack"), 0o700); err != nil {
		return err
	}
	spooled, err := q.spool(r)
	if err != nil {
		return err
	}
	defer spooled.Close()
	r.answer.keepAlive() // git can take minutes
	args := []string{"index-pack", "--stdin", "--fix-thin", "--strict=" + tolerated, "--threads=1"}
	progress := r.answer.progress(r.push)
	if progress != nil {
		args = append(args, "--show-resolving-progress") // nothing before the client has sent everything
	}
	var out bytes.Buffer
	err = q.copy.storage.git.Run(ctx, exec.Command{
		Dir: q.copy.dir, Args: args, Env: append(q.env(), allocLimit), Stdin: spooled, Stdout: &out, Stderr: progress,
		Heavy: true, Timeout: receiveTimeout,
	})
	var failed *exec.Error
	if errors.As(err, &failed) && failed.Err == nil {
		return badPack(firstLine(failed.Message))
	}
	if err != nil {
		return err
	}
	q.hash = strings.TrimSpace(strings.TrimPrefix(out.String(), "pack\t"))
	q.name = filepath.Join(q.dir, "pack", "pack-"+q.hash)
	q.pack, err = openReceived(q.name, q.copy.storage.bases)
	return err
}

// spool writes what the client sends to a file. git reads it from there: a slow client would hold
// one of the few heavy processes otherwise.
func (q *quarantine) spool(r *reception) (*os.File, error) {
	f, err := os.Create(filepath.Join(q.dir, "received"))
	if err != nil {
		return nil, err
	}
	limit := r.limit
	if limit == 0 {
		limit = math.MaxInt64 - 1
	}
	n, err := io.Copy(f, io.LimitReader(r.pack, limit+1))
	switch {
	case err != nil:
	case n > limit:
		_, _ = io.Copy(io.Discard, r.pack) // or the client does not read why
		err = badPack(fmt.Sprintf("the pack is larger than %d MiB, the limit of this server for a push", r.limit>>20))
	default:
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// connect checks that everything that the new refs reach is here.
func (q *quarantine) connect(ctx context.Context, g *Git) error {
	if len(q.tips) == 0 {
		return nil
	}
	refs, err := g.Refs(ctx, g.st)
	if err != nil {
		return err
	}
	var tips bytes.Buffer
	for _, id := range q.tips {
		fmt.Fprintln(&tips, id)
	}
	for _, ref := range refs {
		fmt.Fprintf(&tips, "^%s\n", ref.ID)
	}
	err = g.storage.git.Run(ctx, exec.Command{
		Dir: q.copy.dir, Args: []string{"rev-list", "--objects", "--quiet", "--stdin"}, Env: q.env(), Stdin: &tips,
		Timeout: receiveTimeout,
	})
	var failed *exec.Error
	if errors.As(err, &failed) && failed.Err == nil {
		return badPack(firstLine(failed.Message))
	}
	return err
}

// reconnect checks the objects again after garbage was collected, in the copy of the new epoch.
func (q *quarantine) reconnect(ctx context.Context, g *Git) error {
	c, err := g.lend(ctx)
	if err != nil {
		return err
	}
	q.copy, q.lent, q.epoch = c, append(q.lent, c), g.GCEpoch
	return q.connect(ctx, g)
}

// store puts the pack into the database, unless it is so small that link writes its objects.
func (q *quarantine) store(ctx context.Context, st *db.Store) (err error) {
	if q.pack == nil || q.isSmall() {
		return nil
	}
	if q.packID, err = putFile(ctx, st, q.name+".pack"); err != nil {
		return err
	}
	q.index, err = putFile(ctx, st, q.name+".idx")
	return err
}

func (q *quarantine) isSmall() bool {
	return q.pack.Len() < unpackObjects && q.pack.Size() < unpackBytes
}

// link gives the repository the objects of the pack.
func (q *quarantine) link(ctx context.Context, g *Git) error {
	switch {
	case q.pack == nil || q.pack.Len() == 0:
		return nil
	case q.isSmall():
		var objects []object.Object
		for id := range q.pack.IDs() {
			o, err := q.pack.Read(id, maxObject)
			if err != nil {
				return err
			}
			objects = append(objects, o)
		}
		return g.storeLoose(ctx, objects)
	}
	hash, err := object.ParseID(q.hash)
	if err != nil {
		return err
	}
	files := packFiles{hash, q.pack.Len(), q.pack.Size(), q.packID, q.index}
	return files.link(ctx, g.st, g.ID, nil)
}

// adopt moves the pack into the copy, which would fetch it otherwise. The index comes last: git
// sees a pack by it.
func (q *quarantine) adopt() {
	if q.pack == nil || q.pack.Len() == 0 {
		return
	}
	name := filepath.Join(q.copy.dir, "objects", "pack", "pack-"+q.hash)
	for _, ext := range []string{".pack", ".idx"} {
		if os.Rename(q.name+ext, name+ext) != nil {
			return // it is fetched when it is needed
		}
	}
	q.copy.add(name, q.pack)
	q.pack = nil
}

// remove deletes what is left of the quarantine.
func (q *quarantine) remove() {
	if q.pack != nil {
		_ = q.pack.Close()
	}
	if q.dir != "" {
		_ = os.RemoveAll(q.dir)
	}
	for _, c := range q.lent {
		c.giveBack()
	}
}
