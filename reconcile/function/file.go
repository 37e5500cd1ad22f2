package function

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/reconcile/file"
)

// fileFuncs are the functions of files and paths. Names are relative to the
// configuration's directory.
func fileFuncs(dir file.Dir) []entry {
	return []entry{
		{"basename", pureStringFunc(path.Base), "The last part of a path."},
		{"dirname", pureStringFunc(path.Dir), "A path without its last part."},
		{
			"file",
			stringFunc("path", func(name string) (string, error) { return readText(dir, name) }),
			"The text of a file.",
		},
		{
			"filebase64",
			fileFunc(dir, func(s string) string { return encode64([]byte(s)) }),
			"The bytes of a file, in Base64.",
		},
		{"fileexists", existsFunc(dir), "Whether a file of this name exists."},
		{
			"fileset",
			filesetFunc(dir),
			"The files in a directory that match a pattern of *, ?, ** and {a,b}, relative to the directory.",
		},
	}
}

// fileFunc returns a function of a file's content.
func fileFunc(dir file.Dir, f func(string) string) function.Function {
	return stringFunc("path", func(name string) (string, error) {
		b, err := readFile(dir, name)
		return f(string(b)), err
	})
}

func readFile(dir file.Dir, name string) ([]byte, error) {
	b, err := dir.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s in the configuration's directory", name)
	}
	return b, err
}

// readText reads a text file, with the same result in every checkout.
func readText(dir file.Dir, name string) (string, error) {
	b, err := readFile(dir, name)
	switch {
	case err != nil:
		return "", err
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8 text. Use filebase64() to read it", name)
	}
	return string(file.Normalize(b)), nil
}

func existsFunc(dir file.Dir) function.Function {
	return staticFunc(cty.Bool, func(args []cty.Value) (cty.Value, error) {
		info, err := dir.Stat(args[0].AsString())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return cty.False, nil
		case err != nil:
			return cty.NilVal, err
		case !info.Mode().IsRegular():
			return cty.NilVal, fmt.Errorf("%s is not a regular file", args[0].AsString())
		}
		return cty.True, nil
	}, param("path", cty.String))
}

func filesetFunc(dir file.Dir) function.Function {
	return staticFunc(cty.Set(cty.String), func(args []cty.Value) (cty.Value, error) {
		sub, err := dir.Sub(args[0].AsString())
		if err != nil {
			return cty.NilVal, err
		}
		pattern := path.Clean(args[1].AsString())
		if !doublestar.ValidatePattern(pattern) || !fs.ValidPath(pattern) {
			return cty.NilVal, function.NewArgErrorf(1, "%q is not a valid pattern for files within the directory",
				args[1].AsString())
		}
		names, err := doublestar.Glob(sub, pattern, doublestar.WithFilesOnly())
		if err != nil {
			return cty.NilVal, fmt.Errorf("cannot list the files of %s: %w", args[0].AsString(), err)
		}
		if len(names) == 0 {
			return cty.SetValEmpty(cty.String), nil
		}
		var items []cty.Value
		for _, n := range names {
			items = append(items, cty.StringVal(n))
		}
		return cty.SetVal(items), nil
	}, param("path", cty.String), param("pattern", cty.String))
}
