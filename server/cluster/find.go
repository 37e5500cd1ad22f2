package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// oldest is the first major version with everything the schema uses.
const oldest = 14

// FindBin finds the directory that holds initdb and postgres: the given one (or HEWD_PG_BIN), else what PATH leads to,
// else the newest of the Debian and the cached installations. An explicit directory without the programs is an error
// rather than a reason to look further.
func FindBin(explicit string) (string, error) {
	if explicit == "" {
		explicit = os.Getenv("HEWD_PG_BIN")
	}
	if explicit != "" {
		if !holdsPostgres(explicit) {
			return "", fmt.Errorf("no initdb and postgres in %s (HEWD_PG_BIN or --pg-bin): "+
				"name the bin directory of a Postgres server installation", explicit)
		}
		return filepath.Abs(explicit)
	}
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(initdb); err == nil && holdsPostgres(filepath.Dir(real)) {
			return filepath.Dir(real), nil
		}
	}
	for _, pattern := range patterns() {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		found = newestFirst(found)
		for _, dir := range found {
			if holdsPostgres(dir) {
				return dir, nil
			}
		}
	}
	return "", errors.New("no Postgres server binaries found: install them (apt-get install postgresql), " +
		"name their directory by HEWD_PG_BIN or --pg-bin, or use a running server by HEWD_DATABASE_URL")
}

// patterns lists the places in order of trust; the cache is where `make demo` unpacks a package for an ordinary user.
func patterns() []string {
	places := []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"}
	if cache, err := os.UserCacheDir(); err == nil {
		root := filepath.Join(cache, "hew", "postgres")
		places = append(places, filepath.Join(root, "*/bin"),
			filepath.Join(root, "usr/lib/postgresql/*/bin"), filepath.Join(root, "*/usr/lib/postgresql/*/bin"))
	}
	return places
}

// newestFirst sorts installations by the major version in their path and drops those that are too old.
func newestFirst(dirs []string) []string {
	kept := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		if v := major(dir); v == 0 || v >= oldest { // no number in the path: a guess is better than nothing, but comes last
			kept = append(kept, dir)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return major(kept[i]) > major(kept[j]) })
	return kept
}

// major reads the version out of the last path element before bin: 15, pgsql-16, postgresql@17, 18.4.0.
func major(bin string) int {
	name := filepath.Base(filepath.Dir(bin))
	name = name[strings.LastIndexAny(name, "-@")+1:]
	name, _, _ = strings.Cut(name, ".")
	v, _ := strconv.Atoi(name)
	return v
}

func holdsPostgres(dir string) bool {
	return exists(filepath.Join(dir, "initdb")) && exists(filepath.Join(dir, "postgres"))
}
