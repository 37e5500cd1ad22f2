package servertest

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

var model = regexp.MustCompile(`model name\s*:\s*(.*)`)

// Machine returns a line about the machine and its load for the head of a table of benchmarks.
func Machine() string {
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo") // Linux alone has it; elsewhere the line is shorter
	load, _ := os.ReadFile("/proc/loadavg")
	name := "unknown CPU"
	if found := model.FindSubmatch(cpuinfo); found != nil {
		name = string(found[1])
	}
	return fmt.Sprintf("%s: %d × %s, %s/%s, %s, load before %s", time.Now().Format(time.DateOnly), runtime.NumCPU(),
		name,
		runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.TrimSpace(string(load)))
}
