package archive

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Archive is an unpacked archive of the right version.
type Archive struct {
	dir string
}

// Open returns the archive that Unpack wrote to a directory. It checks the version.
func Open(dir string) (*Archive, error) {
	text, err := readSmall(filepath.Join(dir, "VERSION"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotSmall):
		return nil, ErrVersion
	case err != nil:
		return nil, err
	}
	version := strings.TrimSpace(string(text))
	if version != Version {
		if !isVersion(version) {
			return nil, ErrVersion
		}
		return nil, FormatError(fmt.Sprintf("Import version mismatch: Required %s but was %s", Version, version))
	}
	return &Archive{dir: dir}, nil
}

// isVersion reports whether a text is numbers with dots between them.
func isVersion(text string) bool {
	return text != "" && len(text) <= 100 && strings.Trim(text, "0123456789.") == "" && !strings.Contains(text, "..") &&
		text[0] != '.' && text[len(text)-1] != '.'
}

var errNotSmall = errors.New("archive: the file is too large, or not a file")

// readSmall reads a file that is no larger than a line may be.
func readSmall(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > MaxLine {
		return nil, errNotSmall
	}
	return os.ReadFile(name)
}

// Project returns the document of the project.
func (a *Archive) Project() (p Project, err error) {
	tree := filepath.Join(a.dir, "tree")
	if info, err := os.Stat(tree); err != nil || !info.IsDir() {
		return p, ErrLayout
	}
	text, err := readSmall(filepath.Join(tree, "project.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, ErrProject
	case errors.Is(err, errNotSmall):
		return p, ErrJSON
	case err != nil:
		return p, err
	}
	if json.Unmarshal(text, &p) != nil {
		return p, ErrJSON
	}
	return p, nil
}

// Found returns the names of the relations that have a file, those that this package knows in the
// order of Relations, and the unknown ones in alphabetic order.
func (a *Archive) Found() (known, unknown []string, err error) {
	entries, err := listDir(filepath.Join(a.dir, "tree", "project"))
	found := map[string]bool{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".ndjson")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		found[name] = true
		if _, ok := FindRelation(name); !ok {
			unknown = append(unknown, name)
		}
	}
	for _, r := range Relations {
		if found[r.Name] {
			known = append(known, r.Name)
		}
	}
	slices.Sort(unknown)
	return known, unknown, err
}

// Bundle returns the path of a git bundle, such as ProjectBundle, and whether there is one.
func (a *Archive) Bundle(name string) (file string, ok bool) {
	file = filepath.Join(a.dir, filepath.FromSlash(name))
	return file, isFile(file)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// File is a file of an archive with large content.
type File struct {
	Secret string // of uploads: 32 hex characters
	Name   string // without directories; of LFS objects the oid
	Path   string // where it stands
	Size   int64  // bytes
}

// Uploads iterates over the uploads whose secret and name are valid.
func (a *Archive) Uploads() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		secrets, err := listDir(filepath.Join(a.dir, "uploads"))
		if err != nil {
			yield(File{}, err)
			return
		}
		for _, secret := range secrets {
			if !secret.IsDir() || !isHex(secret.Name(), 16) {
				continue
			}
			for f, err := range a.files("uploads", secret.Name()) {
				f.Secret = secret.Name()
				if !yield(f, err) || err != nil {
					return
				}
			}
		}
	}
}

// LFSObjects iterates over the LFS objects of the project and the wiki. What they contain is to be
// checked against their oid.
func (a *Archive) LFSObjects() iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for f, err := range a.files("lfs-objects") {
			if err == nil && !isHex(f.Name, 32) {
				continue
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Avatar returns the picture of the project, and whether there is one.
func (a *Archive) Avatar() (File, bool, error) {
	for f, err := range a.files("avatar") {
		return f, err == nil, err
	}
	return File{}, false, nil
}

// files iterates over the regular files of a directory, by name.
func (a *Archive) files(dir ...string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		at := filepath.Join(a.dir, filepath.Join(dir...))
		entries, err := listDir(at)
		if err != nil {
			yield(File{}, err)
			return
		}
		for _, e := range entries {
			if !e.Type().IsRegular() {
				continue
			}
			info, err := e.Info()
			if err != nil {
				yield(File{}, err)
				return
			}
			if !yield(File{Name: e.Name(), Path: filepath.Join(at, e.Name()), Size: info.Size()}, nil) {
				return
			}
		}
	}
}

// listDir lists a directory by name. One that does not exist, or is a file, is empty.
func listDir(name string) ([]fs.DirEntry, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, nil
	}
	return os.ReadDir(name)
}

// isHex reports whether a text is so many bytes in lower-case hex.
func isHex(text string, bytes int) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == bytes && text == strings.ToLower(text)
}
