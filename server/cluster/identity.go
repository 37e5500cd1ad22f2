package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// identity is the user that runs Postgres: the current one, or one without privileges if that is
// root.
type identity struct {
	name     string
	uid, gid uint32
	drop     bool // we are root: the child becomes this user, and directories are handed over
}

// fallbackDir is where root keeps a cluster if the unprivileged user cannot reach its own
// directory.
const fallbackDir = "/var/lib/hewd"

// runAs returns the identity for an effective user id.
func runAs(euid int) (identity, error) {
	if euid != 0 {
		return identity{uid: uint32(euid), gid: uint32(os.Getegid())}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uerr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gerr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uerr, gerr); err != nil {
			return identity{}, fmt.Errorf("user %s: %w", name, err)
		}
		return identity{name: name, uid: uint32(uid), gid: uint32(gid), drop: true}, nil
	}
	return identity{}, errors.New("postgres cannot run as root, and neither a user postgres nor nobody exists: " +
		"create one (useradd -r postgres), start hewd as an ordinary user, or set HEWD_DATABASE_URL")
}

// insteadOf returns where the data of an absolute directory goes if the identity cannot pass one of
// its parents.
func insteadOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(fallbackDir, fmt.Sprintf("%x", sum[:6]), "postgres")
}

// chooseDir makes the parent of the data directory and returns where the data goes: there or, if
// the identity cannot pass one of its parents, below fallbackDir, with a notice for the operator.
func (id identity) chooseDir(dir string) (chosen, notice string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", "", fmt.Errorf("make the data directory: %w", err)
	}
	blocked := id.blockedParent(dir)
	if blocked == "" {
		return dir, "", nil
	}
	chosen = insteadOf(dir)
	err = os.MkdirAll(filepath.Dir(chosen), 0o711)
	for _, dir := range []string{fallbackDir, filepath.Dir(chosen)} { // whatever the umask says
		err = errors.Join(err, os.Chmod(dir, 0o711))
	}
	if err != nil {
		return "", "", fmt.Errorf("the user %s cannot pass %s, and hewd cannot make %s instead: %w",
			id.name, blocked, chosen, err)
	}
	if also := id.blockedParent(chosen); also != "" {
		return "", "", fmt.Errorf("the user %s can pass neither %s nor %s: "+
			"run chmod o+x on one of them, or set another data directory", id.name, blocked, also)
	}
	return chosen, fmt.Sprintf("the user %s, who runs Postgres for root, cannot pass %s: "+
		"the database is in %s instead of %s", id.name, blocked, chosen, dir), nil
}

// ownerOf returns the owner of an existing cluster as the identity, if we are root: Postgres runs
// only as the owner of its data.
func (id identity) ownerOf(dir string) identity {
	info, err := os.Stat(dir)
	if err != nil || !id.drop {
		return id
	}
	if uid, gid := fileOwner(info); uid != 0 {
		id.uid, id.gid = uid, gid
	}
	return id
}

// blockedParent returns the first parent of path that the identity cannot pass, "" if it can pass
// all. It looks only if we are root; for any other user the kernel decides when the directory is
// made.
func (id identity) blockedParent(path string) string {
	if !id.drop {
		return ""
	}
	var blocked string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || !id.canEnter(info) {
			blocked = dir
		}
		if dir == filepath.Dir(dir) {
			return blocked
		}
	}
}

func (id identity) canEnter(info os.FileInfo) bool {
	mode := info.Mode().Perm()
	switch uid, gid := fileOwner(info); {
	case uid == id.uid:
		return mode&0o100 != 0
	case gid == id.gid:
		return mode&0o010 != 0
	}
	return mode&0o001 != 0
}

// mkdir makes a directory that the identity owns.
func (id identity) mkdir(path string, mode os.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil {
		return fmt.Errorf("make a directory for postgres: %w", err)
	}
	return id.chown(path)
}

func (id identity) chown(path string) error {
	if !id.drop {
		return nil
	}
	if err := os.Chown(path, int(id.uid), int(id.gid)); err != nil {
		return fmt.Errorf("hand %s to the user %s: %w", path, id.name, err)
	}
	return nil
}

// socketName is the longest name that Postgres makes in the socket directory.
const socketName = "/.s.PGSQL.5432.lock"

// socketDir returns a private directory for the socket. It is the data directory, which is 0700
// already; or, since the path of a unix socket is limited to 107 bytes (103 on some systems), a
// temporary one under /tmp, with a random name and mode 0700. The caller removes a temporary one
// with the server.
func (id identity) socketDir(data string) (dir string, temporary bool, err error) {
	if len(data)+len(socketName) <= 100 {
		return data, false, nil
	}
	if dir, err = os.MkdirTemp("/tmp", "hewd-pg-"); err != nil {
		return "", false, fmt.Errorf("make a socket directory: %w", err)
	}
	return dir, true, id.chown(dir)
}

// command returns a Postgres program that runs as the identity. It has its own process group, so
// that a Ctrl-C in the terminal reaches only us, who then stop it in order; on Linux it is
// interrupted if we die.
func (id identity) command(ctx context.Context, path, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC", "PATH=" + filepath.Dir(path) + ":/usr/bin:/bin"}
	cmd.SysProcAttr = id.childAttr()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	return cmd
}
