package code

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/git/pkt"
)

// uploadTimeout limits one clone or fetch.
const uploadTimeout = 2 * time.Hour

// fetchLimits bound the request of a fetch, whose lines name what the client has.
var fetchLimits = pkt.Limits{Lines: 500_000, Bytes: 64 << 20}

// uploadCapabilities are what clients of protocol version 0 may use, as git announces them.
var uploadCapabilities = pkt.Capabilities{
	"multi_ack", "thin-pack", "side-band", "side-band-64k", "ofs-delta", "shallow", "deepen-since", "deepen-not",
	"deepen-relative", "no-progress", "include-tag", "multi_ack_detailed", "allow-tip-sha1-in-want",
	"allow-reachable-sha1-in-want", "no-done", "filter", "object-format=sha1", Agent,
}

// uploadCapabilities2 are those of protocol version 2.
var uploadCapabilities2 = pkt.Capabilities{
	Agent, "ls-refs=unborn", "fetch=shallow wait-for-done filter", "server-option", "object-format=sha1",
}

// WriteUploadRefs writes the answer to a client that asks what it can fetch: the refs or, if it
// speaks version 2 of the protocol, what it may ask.
func (g *Git) WriteUploadRefs(ctx context.Context, w io.Writer, version int) error {
	if version == 2 {
		return pkt.WriteCapabilities(w, "git-upload-pack", uploadCapabilities2)
	}
	refs, err := g.advertised(ctx)
	if err != nil {
		return err
	}
	capabilities := uploadCapabilities
	if len(refs) > 0 && refs[0].Name == "HEAD" {
		capabilities = append(pkt.Capabilities{"symref=HEAD:" + refs[0].Target}, capabilities...)
	}
	return pkt.WriteAdvertisement(w, "git-upload-pack", capabilities, refs)
}

// WriteReceiveRefs writes the answer to a client that wants to push.
func (g *Git) WriteReceiveRefs(ctx context.Context, w io.Writer) error {
	refs, err := g.advertised(ctx)
	if err != nil {
		return err
	}
	if len(refs) > 0 && refs[0].Name == "HEAD" {
		refs = refs[1:]
	}
	for i := range refs {
		refs[i].Peeled = object.ID{} // pushes have no use for it
	}
	return pkt.WriteAdvertisement(w, "git-receive-pack", ReceiveCapabilities, refs)
}

// advertised returns branches and tags, after HEAD if its branch exists.
func (g *Git) advertised(ctx context.Context) ([]pkt.Ref, error) {
	rows, err := g.Refs(ctx, g.st, Heads, Tags)
	if err != nil {
		return nil, err
	}
	var refs []pkt.Ref
	for _, r := range rows {
		if r.Name == Heads+g.Head {
			refs = append(refs, pkt.Ref{Name: "HEAD", ID: r.ID, Target: r.Name})
			break
		}
	}
	for _, r := range rows {
		refs = append(refs, pkt.Ref{Name: r.Name, ID: r.ID, Peeled: r.Peeled})
	}
	return refs, nil
}

// Upload serves a clone or fetch: the request comes from in, the answer goes to out. The store must
// be bound to the pool. A failure that git has answered itself is returned as Answered.
func Upload(ctx context.Context, st *db.Store, at Place, version int, in io.Reader, out io.Writer) error {
	g, err := at.Open(ctx, st)
	if err != nil {
		return err
	}
	var seen bytes.Buffer
	reader := pkt.NewReader(io.TeeReader(in, &seen), fetchLimits)
	if version == 2 {
		request, err := pkt.ReadRequest(reader)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return malformed(err)
		}
		if request.Command == "ls-refs" {
			return g.listRefs(ctx, request, out)
		}
		return g.upload(ctx, version, request.Arguments, &seen, out)
	}
	lines, err := readLines(reader)
	if err != nil {
		return malformed(err)
	}
	return g.upload(ctx, version, lines, &seen, out)
}

// readLines reads all lines of a request of protocol version 0.
func readLines(r *pkt.Reader) (lines []string, err error) {
	for {
		kind, line, err := r.Line()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
		if kind == pkt.Data && !strings.HasPrefix(line, "have ") {
			lines = append(lines, line)
		}
	}
}

// upload has git answer a request. It needs refs on disk only if the client names some.
func (g *Git) upload(ctx context.Context, version int, lines []string, request io.Reader, out io.Writer) error {
	if g.storage.git == nil {
		return errNoGit
	}
	if g.ID == 0 {
		return malformed(errors.New("it asks for objects, and the repository is empty"))
	}
	c, err := g.lend(ctx)
	if err != nil {
		return err
	}
	defer c.giveBack()
	for _, line := range lines {
		if !strings.HasPrefix(line, "deepen") {
			continue
		}
		refs, err := g.Refs(ctx, g.st, Heads, Tags)
		if err != nil {
			return err
		}
		if err := c.writeRefs(refs); err != nil {
			return err
		}
		break
	}
	answer := &startedWriter{Writer: out}
	command := exec.Command{
		Dir: c.dir, Args: []string{"upload-pack", "--stateless-rpc", "--strict", "."}, Stdin: request, Stdout: answer,
		Heavy: true, Timeout: uploadTimeout,
	}
	if version == 2 {
		command.Env = []string{"GIT_PROTOCOL=version=2"}
	}
	err = g.storage.git.Run(ctx, command)
	var failed *exec.Error
	switch {
	case !errors.As(err, &failed) || failed.Err != nil:
		return err
	case !answer.started:
		return malformed(errors.New(firstLine(failed.Message)))
	}
	return Answered{err} // by git
}

// listRefs answers ls-refs. It lists a hidden ref only if a ref-prefix argument names it.
func (g *Git) listRefs(ctx context.Context, request pkt.Request, out io.Writer) error {
	arguments := pkt.Capabilities(request.Arguments)
	var prefixes []string
	for _, a := range request.Arguments {
		if prefix, ok := strings.CutPrefix(a, "ref-prefix "); ok {
			prefixes = append(prefixes, prefix)
		}
	}
	wanted := func(name string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return len(prefixes) == 0
	}
	refs, err := g.advertised(ctx)
	if err != nil {
		return err
	}
	hidden, err := g.hidden(ctx, prefixes)
	if err != nil {
		return err
	}
	var text []byte
	if wanted("HEAD") && arguments.Has("unborn") && (len(refs) == 0 || refs[0].Name != "HEAD") {
		text = pkt.AppendRef(text, pkt.Ref{Name: "HEAD", Target: Heads + g.Head}, arguments)
	}
	for _, ref := range append(refs, hidden...) {
		if wanted(ref.Name) {
			text = pkt.AppendRef(text, ref, arguments)
		}
	}
	_, err = out.Write(append(text, "0000"...))
	return err
}

// hidden returns the refs that are neither branches nor tags and begin with a prefix that reaches
// below refs/.
func (g *Git) hidden(ctx context.Context, prefixes []string) (refs []pkt.Ref, err error) {
	var asked []string
	for _, p := range prefixes {
		below, ok := strings.CutPrefix(p, "refs/")
		if ok && strings.Contains(below, "/") && !strings.HasPrefix(p, Heads) && !strings.HasPrefix(p, Tags) {
			asked = append(asked, p)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	rows, err := g.Refs(ctx, g.st, asked...)
	for _, r := range rows {
		refs = append(refs, pkt.Ref{Name: r.Name, ID: r.ID, Peeled: r.Peeled})
	}
	return refs, err
}
