package pull

import (
	"context"
	"io"
	"slices"

	"hew/schema"
)

// Host reads a host. It has no method that writes.
type Host interface {
	Kinds() schema.Catalog
	Read(context.Context, []schema.Query) []schema.Reading
	Find(context.Context, []schema.Ask) []schema.Reading
}

// Options tell which kinds to pull and where to write.
type Options struct {
	// Kinds is what Choose returned.
	Kinds []*schema.Kind
	// Create creates a file of the configuration. It is called once for each name.
	Create func(name string) (io.WriteCloser, error)
	// Notify is called with the number of groups and projects that are done. It may be nil.
	Notify func(done, total int)
}

// Pull writes the configuration of a subject. Objects that cannot be read are in the summary and do
// not fail the pull. It fails if the subject itself cannot be read, if a file cannot be written, or
// if ctx ends.
func Pull(ctx context.Context, host Host, of Subject, opts Options) (*Summary, error) {
	p := &puller{
		host: host, kinds: host.Kinds(), chosen: opts.Kinds, notify: opts.Notify,
		names: names{}, index: newIndex(), sharedSeen: map[objectID]bool{}, argumentNames: map[*schema.Kind][]string{},
		out: output{create: opts.Create, comments: map[*container][]string{},
			summary: Summary{Subject: of.String(), Blocks: map[string]int{}}},
	}
	containers, err := p.findContainers(ctx, of)
	if err != nil {
		return nil, err
	}
	done := 0
	for some := range slices.Chunk(containers, batchSize) {
		if err := p.pullBatch(ctx, some); err != nil {
			p.out.close()
			return nil, err
		}
		done += len(some)
		p.notifyProgress(done, len(containers))
	}
	if err := p.out.close(); err != nil {
		return nil, err
	}
	return &p.out.summary, nil
}

// batchSize is how many groups and projects are read at once: enough to keep a host busy, and few
// enough to keep what is in them in memory.
const batchSize = 64

// puller is the state of one pull.
type puller struct {
	host   Host
	kinds  schema.Catalog
	chosen []*schema.Kind
	notify func(done, total int)

	names         names
	index         *index
	sharedSeen    map[objectID]bool // objects of several collections that are written already
	argumentNames map[*schema.Kind][]string
	out           output
}

func (p *puller) notifyProgress(done, total int) {
	if p.notify != nil {
		p.notify(done, total)
	}
}

// isChosen reports whether blocks of a kind are written.
func (p *puller) isChosen(k *schema.Kind) bool { return slices.Contains(p.chosen, k) }

// arguments returns the names of the attributes to read: all arguments of the kind.
func (p *puller) arguments(k *schema.Kind) []string {
	if p.argumentNames[k] == nil {
		p.argumentNames[k] = []string{}
		for a := range k.Arguments() {
			p.argumentNames[k] = append(p.argumentNames[k], a.Name)
		}
	}
	return p.argumentNames[k]
}

// objectID is the identity of an object on the host.
type objectID struct{ kind, id string }
