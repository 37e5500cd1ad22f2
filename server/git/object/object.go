// Package object encodes and decodes git's objects: ids, commits, trees and tags, as git 2.39
// writes and reads them. It knows SHA-1 ids only.
//
// Commits and tags of old repositories hold identities and headers that git would not write today.
// ParseCommit and ParseTag accept them, and Encode returns the bytes that were parsed as long as no
// field was changed.
package object

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"strconv"
)

// Kind is the type of an object, by the number that it has in packs. The zero value is none.
type Kind uint8

// The kinds of objects.
const (
	KindCommit Kind = 1
	KindTree   Kind = 2
	KindBlob   Kind = 3
	KindTag    Kind = 4
)

var kindNames = [...]string{KindCommit: "commit", KindTree: "tree", KindBlob: "blob", KindTag: "tag"}

// Valid reports whether k is one of the four kinds.
func (k Kind) Valid() bool { return k >= KindCommit && k <= KindTag }

// String returns the name that git gives the kind, such as "commit".
func (k Kind) String() string {
	if !k.Valid() {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindNames[k]
}

// ParseKind returns the kind of a name such as "commit".
func ParseKind(name string) (Kind, error) {
	for k := KindCommit; k <= KindTag; k++ {
		if kindNames[k] == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("%.20q is not a kind of git objects: want commit, tree, blob or tag", name)
}

// Object is an object without git's header. The holder must not change Data: caches share it.
type Object struct {
	Kind Kind
	Data []byte
}

// ID returns the id of the object.
func (o Object) ID() ID { return Hash(o.Kind, o.Data) }

// Hash returns the id of an object with this content.
func Hash(kind Kind, data []byte) ID {
	hash := sha1.New()
	hash.Write(AppendHeader(make([]byte, 0, 32), kind, int64(len(data))))
	hash.Write(data)
	var id ID
	hash.Sum(id[:0])
	return id
}

// AppendHeader appends what git hashes before the content: the kind, the size in bytes and a NUL.
func AppendHeader(dst []byte, kind Kind, size int64) []byte {
	dst = append(dst, kind.String()...)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, size, 10)
	return append(dst, 0)
}

// ErrNotFound is the error, to be found by errors.Is, for an object or a path that does not exist.
var ErrNotFound = errors.New("git object not found")

// Source reads objects by id.
type Source interface {
	// Object returns an object, or an error that wraps ErrNotFound if there is none with this id.
	// It can be called by several goroutines at once.
	Object(ctx context.Context, id ID) (Object, error)
}

// ReadCommit reads and parses a commit. Its errors name the id.
func ReadCommit(ctx context.Context, src Source, id ID) (*Commit, error) {
	data, err := readKind(ctx, src, id, KindCommit)
	if err != nil {
		return nil, err
	}
	commit, err := ParseCommit(data)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", id, err)
	}
	return commit, nil
}

// ReadTree reads and parses a tree. Its errors name the id.
func ReadTree(ctx context.Context, src Source, id ID) (Tree, error) {
	data, err := readKind(ctx, src, id, KindTree)
	if err != nil {
		return nil, err
	}
	tree, err := ParseTree(data)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	return tree, nil
}

func readKind(ctx context.Context, src Source, id ID, want Kind) ([]byte, error) {
	o, err := src.Object(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", want, id, err)
	}
	if o.Kind != want {
		return nil, fmt.Errorf("read %s %s: the object is a %s", want, id, o.Kind)
	}
	return o.Data, nil
}
