package code

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/maypok86/otter/v2"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pack"
)

const (
	objectCacheSize = 64 << 20 // bytes of objects that a process keeps in memory
	baseCacheSize   = 32 << 20 // and of bases of deltas
	maxCached       = 1 << 20  // bytes of an object that is kept
	// maxObject limits an object that is read into memory, in bytes.
	maxObject = 256 << 20
	// fewTrees is how many rows of trees are read one by one before the others are read at once, up
	// to looseTrees rows of maxLooseTree bytes each.
	fewTrees, looseTrees, maxLooseTree = 4, 2000, 64 << 10
)

// objectCache holds objects that were read lately. They never change.
type objectCache struct {
	*otter.Cache[objectKey, object.Object]
}

func newObjectCache(bytes uint64) *objectCache {
	return &objectCache{otter.Must(&otter.Options[objectKey, object.Object]{
		MaximumWeight: bytes,
		Weigher:       func(_ objectKey, o object.Object) uint32 { return uint32(len(o.Data)) + 100 },
	})}
}

func (c *objectCache) keep(key objectKey, o object.Object) {
	if len(o.Data) <= maxCached {
		c.Set(key, o)
	}
}

// Object returns an object of the repository. It implements object.Source. The error is a fault of
// CodeTooLarge if the object, or one that its deltas are made of, has more than maxObject bytes.
func (g *Git) Object(ctx context.Context, id object.ID) (object.Object, error) {
	key := g.key(id)
	if o, ok := g.storage.objects.GetIfPresent(key); ok {
		return o, nil
	}
	if o, ok := g.made[id]; ok {
		return o, nil
	}
	if p := findIn(slices.Values(g.extra), id); p != nil { // which may be refused in the end: it is not kept
		return p.Read(id, maxObject)
	}
	o, err := g.read(ctx, id)
	if errors.Is(err, pack.ErrTooLarge) {
		err = fault.TooLarge().Because(err)
	}
	if err != nil {
		return o, fmt.Errorf("object %s of repository %d: %w", id, g.ID, err)
	}
	return o, nil
}

// read returns an object from where it is: a pack on disk, a row, or a pack that is not on disk
// yet. It keeps objects in the cache that were committed.
func (g *Git) read(ctx context.Context, id object.ID) (object.Object, error) {
	if g.ID == 0 {
		return object.Object{}, object.ErrNotFound
	}
	c, err := g.storage.copyOf(g.Repository)
	if err != nil {
		return object.Object{}, err
	}
	if o, ok, err := g.readPacked(c, id); ok || err != nil {
		return o, err
	}
	o, err := g.readLoose(ctx, id)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return o, err
	}
	if c, err = g.fetch(ctx); err != nil {
		return o, err
	}
	if o, ok, err := g.readPacked(c, id); ok || err != nil {
		return o, err
	}
	return object.Object{}, object.ErrNotFound
}

func (g *Git) readPacked(c *workCopy, id object.ID) (object.Object, bool, error) {
	o, ok, err := c.read(id)
	if ok {
		g.storage.objects.keep(g.key(id), o)
	}
	return o, ok, err
}

// looseObject is a row of loose_objects.
type looseObject struct {
	ID   object.ID   `db:"oid"`
	Kind object.Kind `db:"kind"`
	Size int64       `db:"size"`
	Body []byte      `db:"body"` // compressed
	Own  bool        `db:"own"`  // written by the open transaction
}

func (l looseObject) open() (object.Object, error) {
	data, err := pack.Inflate(l.Body, l.Size)
	return object.Object{Kind: l.Kind, Data: data}, err
}

const selectLoose = `
	select l.oid, l.kind, l.size, l.body, not (l.written_by` + isForeign + `) as own
	from loose_objects l where l.repository_id = @repository`

func (g *Git) readLoose(ctx context.Context, id object.ID) (object.Object, error) {
	l, err := db.One[looseObject](ctx, g.st, "Object", selectLoose+` and l.oid = @oid`,
		pgx.NamedArgs{"repository": g.ID, "oid": id})
	if err != nil {
		return object.Object{}, err
	}
	if l.Kind == object.KindTree {
		if g.treeRows++; g.treeRows == fewTrees {
			if err := g.readLooseTrees(ctx); err != nil {
				return object.Object{}, err
			}
		}
	}
	return g.openLoose(l)
}

// openLoose returns the object of a row, and keeps it in the cache if it was committed.
func (g *Git) openLoose(l looseObject) (object.Object, error) {
	o, err := l.open()
	if err != nil {
		return o, fmt.Errorf("object %s of repository %d: %w", l.ID, g.ID, err)
	}
	if !l.Own {
		g.storage.objects.keep(g.key(l.ID), o)
	}
	return o, nil
}

// readLooseTrees reads the trees that are rows into the cache. A caller that has read some trees is
// walking, and each of the others would cost a query. They are few, since a job packs them.
func (g *Git) readLooseTrees(ctx context.Context) error {
	return g.readRows(ctx, ` and l.kind = @tree and l.size <= @small limit @most`,
		pgx.NamedArgs{"tree": object.KindTree, "small": maxLooseTree, "most": looseTrees})
}

// prefetch reads those of the objects that are rows into the cache, which a list would read one by
// one otherwise.
func (g *Git) prefetch(ctx context.Context, ids []object.ID) error {
	ids = slices.DeleteFunc(ids, func(id object.ID) bool {
		_, ok := g.storage.objects.GetIfPresent(g.key(id))
		return ok
	})
	if len(ids) == 0 {
		return nil
	}
	return g.readRows(ctx, ` and l.oid = any(@oids)`, pgx.NamedArgs{"oids": rawIDs(ids)})
}

// readRows reads the rows that meet a condition into the cache.
func (g *Git) readRows(ctx context.Context, condition string, args pgx.NamedArgs) error {
	args["repository"] = g.ID
	rows, err := db.Many[looseObject](ctx, g.st, selectLoose+condition, args)
	if err != nil {
		return err
	}
	for _, l := range rows {
		if _, err := g.openLoose(l); err != nil {
			return err
		}
	}
	return nil
}

// storeLoose writes objects as rows, those that the repository has already left out. It writes them
// in the order of their ids: transactions that make the same objects wait for each other's rows.
func (g *Git) storeLoose(ctx context.Context, made []object.Object) error {
	rows := struct {
		ids, bodies [][]byte
		kinds       []int16
		sizes       []int64
	}{}
	for _, o := range made {
		id := object.Hash(o.Kind, o.Data)
		rows.ids = append(rows.ids, id[:])
		rows.kinds = append(rows.kinds, int16(o.Kind))
		rows.sizes = append(rows.sizes, int64(len(o.Data)))
		rows.bodies = append(rows.bodies, pack.Deflate(nil, o.Data))
	}
	return g.st.Exec(ctx, `
		insert into loose_objects (repository_id, oid, kind, size, body)
		select @repository, o.oid, o.kind, o.size, o.body
		from unnest(@ids::bytea[], @kinds::smallint[], @sizes::bigint[], @bodies::bytea[]) o (oid, kind, size, body)
		order by o.oid
		on conflict do nothing`,
		pgx.NamedArgs{"repository": g.ID, "ids": rows.ids, "kinds": rows.kinds, "sizes": rows.sizes,
			"bodies": rows.bodies})
}

// Size returns the size of an object in bytes, without reading its content.
func (g *Git) Size(ctx context.Context, id object.ID) (int64, error) {
	if o, ok := g.storage.objects.GetIfPresent(g.key(id)); ok {
		return int64(len(o.Data)), nil
	}
	if o, ok := g.made[id]; ok {
		return int64(len(o.Data)), nil
	}
	if p := findIn(slices.Values(g.extra), id); p != nil {
		_, size, err := p.Header(id)
		return size, err
	}
	c, err := g.storage.copyOf(g.Repository)
	if err != nil {
		return 0, err
	}
	if size, ok, err := c.size(id); ok || err != nil {
		return size, err
	}
	size, err := db.Value[int64](ctx, g.st, `
		select coalesce(max(l.size), -1) from loose_objects l where l.repository_id = @repository and l.oid = @oid`,
		pgx.NamedArgs{"repository": g.ID, "oid": id})
	if err != nil || size >= 0 {
		return size, err
	}
	o, err := g.Object(ctx, id) // of a pack that is not on disk yet
	return int64(len(o.Data)), err
}
