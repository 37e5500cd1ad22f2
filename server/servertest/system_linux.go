package servertest

import "syscall"

// clusterParent returns the directory for the cluster: in memory if there is enough of it, since
// each test copies and drops a database, which takes five times as long on a disk.
func clusterParent() string {
	const plenty = 4 << 30
	var shm syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &shm) == nil && uint64(shm.Bavail)*uint64(shm.Bsize) >= plenty {
		return "/dev/shm"
	}
	return "/tmp"
}

// endWithParent returns the attributes of a child that is killed when this process ends.
func endWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
