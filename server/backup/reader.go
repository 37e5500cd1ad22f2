package backup

import (
	"archive/tar"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/jackc/pgx/v5"
)

// maxText limits the manifest and the end of a file, in bytes.
const maxText = 16 << 20

// reader reads the entries of an archive.
type reader struct {
	tar      *tar.Reader
	at       *tar.Header // the entry that is next; nil: it has not been looked for
	sum      hash.Hash
	bytes    int64
	progress Progress
	manifest Manifest
	end      end
}

// next returns the entry that is next, which must be taken before another is asked for.
func (in *reader) next() (*tar.Header, error) {
	if in.at != nil {
		return in.at, nil
	}
	h, err := in.tar.Next()
	if err != nil {
		return nil, readError(err)
	}
	in.at = h
	return h, nil
}

func readError(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("it ends early")
	case errors.Is(err, tar.ErrHeader):
		return damaged("it is not an archive of hewd backup")
	}
	return err
}

func (in *reader) readJSON(name string, v any) error {
	h, err := in.next()
	switch {
	case err != nil:
		return err
	case h.Name != name:
		return damaged("%s stands where %s is expected", h.Name, name)
	case h.Size > maxText:
		return damaged("%s is too large", name)
	}
	in.at = nil
	text, err := io.ReadAll(in.tar)
	if err != nil {
		return readError(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return damaged("%s cannot be read: %v", name, err)
	}
	return nil
}

// readTables writes the rows of all tables, and returns how many each has.
func (in *reader) readTables(ctx context.Context, conn *pgx.Conn) (map[string]int64, error) {
	rows := map[string]int64{}
	for _, t := range in.manifest.Tables {
		p := &tableReader{in: in, table: t.Name}
		sql := fmt.Sprintf("copy %s (%s) from stdin (format binary)", t.quoted(), t.columns())
		tag, err := conn.PgConn().CopyFrom(ctx, p, sql)
		if p.failed != nil {
			return nil, p.failed
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		rows[t.Name] = tag.RowsAffected()
	}
	if err := in.readJSON(endName, &in.end); err != nil {
		return nil, err
	}
	if hex.EncodeToString(in.sum.Sum(nil)) != in.end.SHA256 {
		return nil, damaged("its rows were changed")
	}
	return rows, nil
}

// tableReader reads the parts of a table as one stream.
type tableReader struct {
	in     *reader
	table  string
	n      int
	open   bool  // inside a part
	failed error // kept, since COPY reports it as one of the server
}

// Read implements io.Reader.
func (p *tableReader) Read(data []byte) (int, error) {
	n, err := p.read(data)
	if err != nil && err != io.EOF {
		p.failed = err
	}
	return n, err
}

func (p *tableReader) read(data []byte) (int, error) {
	for {
		if !p.open {
			h, err := p.in.next()
			if err != nil {
				return 0, err
			}
			if h.Name != partName(p.table, p.n+1) {
				return 0, io.EOF // another table, or the end
			}
			p.open, p.n, p.in.at = true, p.n+1, nil
		}
		n, err := p.in.tar.Read(data)
		p.in.sum.Write(data[:n])
		p.in.bytes += int64(n)
		switch {
		case err == io.EOF:
			p.open = false
			if p.in.progress != nil {
				p.in.progress(p.in.bytes)
			}
		case err != nil:
			return n, readError(err)
		}
		if n > 0 {
			return n, nil
		}
	}
}
