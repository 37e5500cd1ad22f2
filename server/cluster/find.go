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

// minMajor is the first major version of Postgres that has everything the schema uses.
const minMajor = 14

// FindBin returns the directory that holds initdb and postgres: the given one (or HEWD_PG_BIN),
// else the one in PATH, else the newest installation of a package or in the cache. A given
// directory without the programs is an error.
func FindBin(explicit string) (string, error) {
	if explicit == "" {
		explicit = os.Getenv("HEWD_PG_BIN")
	}
	if explicit != "" {
		if !holdsPostgres(explicit) {
			return "", fmt.Errorf("no initdb and postgres in %s (HEWD_PG_BIN or --pg-bin): "+
				"set it to the bin directory of a Postgres server installation", explicit)
		}
		return filepath.Abs(explicit)
	}
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(initdb); err == nil && holdsPostgres(filepath.Dir(real)) {
			return filepath.Dir(real), nil
		}
	}
	for _, pattern := range searchPatterns() {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		found = newestFirst(found)
		for _, dir := range found {
			if holdsPostgres(dir) {
				return dir, nil
			}
		}
	}
	return "", errors.New("no Postgres server binaries found: install them (apt-get install postgresql), " +
		"set HEWD_PG_BIN or --pg-bin to their directory, or set HEWD_DATABASE_URL to use a running server")
}

// searchPatterns returns where installations are searched, in this order. The cache is where `make
// demo` unpacks a package for an ordinary user.
func searchPatterns() []string {
	places := []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin"}
	if cache, err := os.UserCacheDir(); err == nil {
		root := filepath.Join(cache, "hew", "postgres")
		places = append(places, filepath.Join(root, "*/bin"),
			filepath.Join(root, "usr/lib/postgresql/*/bin"), filepath.Join(root, "*/usr/lib/postgresql/*/bin"))
	}
	return places
}

// newestFirst sorts installations by the major version in their path and drops those that are too
// old.
func newestFirst(dirs []string) []string {
	kept := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		if v := majorVersion(dir); v == 0 || v >= minMajor { // one without a number may do, and comes last
			kept = append(kept, dir)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return majorVersion(kept[i]) > majorVersion(kept[j]) })
	return kept
}

// majorVersion reads the version from the last path element before bin: 15, pgsql-16,
// postgresql@17, 18.4.0. It returns 0 if there is none.
func majorVersion(bin string) int {
	name := filepath.Base(filepath.Dir(bin))
	name = name[strings.LastIndexAny(name, "-@")+1:]
	name, _, _ = strings.Cut(name, ".")
	v, _ := strconv.Atoi(name)
	return v
}

func holdsPostgres(dir string) bool {
	return pathExists(filepath.Join(dir, "initdb")) && pathExists(filepath.Join(dir, "postgres"))
}
