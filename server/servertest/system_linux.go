package servertest

import "syscall"

// spacious is where the cluster is kept: in memory where there is plenty of it, for tests copy and
// drop a database each, which takes five times as long on a disk.
func spacious() string {
	const plenty = 4 << 30
	var shm syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &shm) == nil && uint64(shm.Bavail)*uint64(shm.Bsize) >= plenty {
		return "/dev/shm"
	}
	return "/tmp"
}

// mortal has a child end with us, however we end.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
