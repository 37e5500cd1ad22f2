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

// identity is the user that runs Postgres: ourselves, or somebody without privileges if we are root.
type identity struct {
	name     string
	uid, gid uint32
	drop     bool // we are root: become this user at exec, and hand directories over
}

// refuge is where root keeps a cluster whose own directory the unprivileged user cannot reach.
const refuge = "/var/lib/hewd"

// runAs picks the identity for an effective user id.
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
	return identity{}, errors.New("postgres cannot run as root, and there is neither a user postgres nor nobody: " +
		"create one (useradd -r postgres), start hewd as an ordinary user, or give it a server by HEWD_DATABASE_URL")
}

// settle makes the parent of the data directory and answers where the data goes: there, or in the refuge when a parent
// bars the way, together with a sentence that says so.
func (id identity) settle(dir string) (settled, notice string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", "", fmt.Errorf("make the data directory: %w", err)
	}
	wall := id.barred(dir)
	if wall == "" {
		return dir, "", nil
	}
	sum := sha256.Sum256([]byte(dir))
	settled = filepath.Join(refuge, fmt.Sprintf("%x", sum[:6]), "postgres")
	err = os.MkdirAll(filepath.Dir(settled), 0o711)
	for _, dir := range []string{refuge, filepath.Dir(settled)} { // whatever the umask says
		err = errors.Join(err, os.Chmod(dir, 0o711))
	}
	if err != nil {
		return "", "", fmt.Errorf("the user %s cannot pass %s, and %s cannot be made instead: %w", id.name, wall, settled, err)
	}
	if wall2 := id.barred(settled); wall2 != "" {
		return "", "", fmt.Errorf("the user %s can pass neither %s nor %s: chmod o+x one of them, or choose another data directory",
			id.name, wall, wall2)
	}
	return settled, fmt.Sprintf("the user %s, who runs Postgres for root, cannot pass %s: the database is kept in %s instead of %s",
		id.name, wall, settled, dir), nil
}

// orOwner lets root carry on with a cluster that an ordinary user has made: Postgres runs only for the owner of its data.
func (id identity) orOwner(dir string) identity {
	info, err := os.Stat(dir)
	if err != nil || !id.drop {
		return id
	}
	if uid, gid := owner(info); uid != 0 {
		id.uid, id.gid = uid, gid
	}
	return id
}

// barred names the first parent of path that the identity cannot pass; empty: none. Ordinary users settle that
// question with the kernel directly.
func (id identity) barred(path string) string {
	if !id.drop {
		return ""
	}
	var wall string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || !id.passes(info) {
			wall = dir
		}
		if dir == filepath.Dir(dir) {
			return wall
		}
	}
}

func (id identity) passes(info os.FileInfo) bool {
	mode := info.Mode().Perm()
	switch uid, gid := owner(info); {
	case uid == id.uid:
		return mode&0o100 != 0
	case gid == id.gid:
		return mode&0o010 != 0
	}
	return mode&0o001 != 0
}

// mkdir makes a directory that belongs to the identity.
func (id identity) mkdir(path string, mode os.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil {
		return fmt.Errorf("make a directory for postgres: %w", err)
	}
	return id.own(path)
}

func (id identity) own(path string) error {
	if !id.drop {
		return nil
	}
	if err := os.Chown(path, int(id.uid), int(id.gid)); err != nil {
		return fmt.Errorf("hand %s to the user %s: %w", path, id.name, err)
	}
	return nil
}

// socketName is what Postgres adds to the socket directory, and its lock file to that.
const socketName = "/.s.PGSQL.5432.lock"

// socketDir is a private directory for the socket: the data directory, which is 0700 already and leaves nothing behind;
// or, since the path of a unix socket ends at 107 bytes (103 on some systems), a short one under /tmp. The name of that
// is random and its mode 0700, so nobody can be there before us; it goes when the server does.
func (id identity) socketDir(data string) (dir string, temporary bool, err error) {
	if len(data)+len(socketName) <= 100 {
		return data, false, nil
	}
	if dir, err = os.MkdirTemp("/tmp", "hewd-pg-"); err != nil {
		return "", false, fmt.Errorf("make a socket directory: %w", err)
	}
	return dir, true, id.own(dir)
}

// command prepares a Postgres program to run as the identity, in its own process group (a Ctrl-C in the terminal is
// for us, who then stop it in order) and to be told to stop if we die without having done so.
func (id identity) command(ctx context.Context, path, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC", "PATH=" + filepath.Dir(path) + ":/usr/bin:/bin"}
	cmd.SysProcAttr = id.childAttr()
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	return cmd
}
