package pull

import (
	"context"
	"io"
	"slices"

	"hew/schema"
)

// Host is a host as far as it is pulled: there is nothing in it to write with.
type Host interface {
	Kinds() schema.Catalog
	Read(context.Context, []schema.Query) []schema.Reading
	Find(context.Context, []schema.Ask) []schema.Reading
}

// Options say what of a subject is pulled, and where to.
type Options struct {
	// Kinds are those that Choose has chosen.
	Kinds []*schema.Kind
	// Create makes a file of the configuration. It is called once for each name.
	Create func(name string) (io.WriteCloser, error)
	// Notify is told how many of the groups and projects are done. It may be nil.
	Notify func(done, total int)
}

// Pull writes down what a subject is on the host. What cannot be read is in the
// summary, and harms nothing else; an error is that of the subject itself, of a
// file, or of a context that ended.
func Pull(ctx context.Context, host Host, of Subject, opts Options) (*Summary, error) {
	p := &puller{
		host: host, kinds: host.Kinds(), chosen: opts.Kinds, notify: opts.Notify,
		names: names{}, index: newIndex(), shared: map[thing]bool{}, keep: map[*schema.Kind][]string{},
		out: output{create: opts.Create, comments: map[*container][]string{}, said: Summary{Subject: of.String(), Blocks: map[string]int{}}},
	}
	containers, err := p.containers(ctx, of)
	if err != nil {
		return nil, err
	}
	done := 0
	for some := range slices.Chunk(containers, atOnce) {
		if err := p.visit(ctx, some); err != nil {
			p.out.close()
			return nil, err
		}
		done += len(some)
		p.tell(done, len(containers))
	}
	if err := p.out.close(); err != nil {
		return nil, err
	}
	return &p.out.said, nil
}

// atOnce is how many groups and projects are read side by side: enough to keep a
// host busy, and few enough to have what is in them in memory.
const atOnce = 64

// puller is a pull under way.
type puller struct {
	host   Host
	kinds  schema.Catalog
	chosen []*schema.Kind
	notify func(done, total int)

	names  names
	index  *index
	shared map[thing]bool // what is in several collections, and written
	keep   map[*schema.Kind][]string
	out    output
}

func (p *puller) tell(done, total int) {
	if p.notify != nil {
		p.notify(done, total)
	}
}

// chooses tells whether blocks of a kind are written.
func (p *puller) chooses(k *schema.Kind) bool { return slices.Contains(p.chosen, k) }

// arguments are the attributes that are asked for of a kind: all that can be
// stated.
func (p *puller) arguments(k *schema.Kind) []string {
	if p.keep[k] == nil {
		p.keep[k] = []string{}
		for a := range k.Arguments() {
			p.keep[k] = append(p.keep[k], a.Name)
		}
	}
	return p.keep[k]
}

// thing is something of the host, by kind and id.
type thing struct{ kind, id string }
