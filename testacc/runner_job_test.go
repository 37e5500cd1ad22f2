package testacc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// runningJob is a job while its runner runs it.
type runningJob struct {
	*shellRunner
	jobForRunner
	dir    string            // the checkout
	scrap  string            // beside it: scripts, files of variables, HOME
	values map[string]string // of variables, as the script has them
	trace  *trace
	cancel context.CancelCauseFunc
}

// The server ends a job: at once, or after it has tidied up.
var (
	errCanceled  = errors.New("the server has ended the job")
	errCanceling = errors.New("the server cancels the job")
)

// run runs a job and tells the server how it ended.
func (r *shellRunner) run(ctx context.Context, job jobForRunner) endedJob {
	j := &runningJob{shellRunner: r, jobForRunner: job}
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	j.cancel = cancel
	root, err := os.MkdirTemp(r.builds, "job-")
	if err == nil {
		defer func() { _ = os.RemoveAll(root) }()
		j.dir, j.scrap = filepath.Join(root, "project"), filepath.Join(root, "scrap")
		err = errors.Join(os.Mkdir(j.dir, 0o700), os.Mkdir(j.scrap, 0o700))
	}
	if err == nil {
		err = j.setVariables()
	}
	j.trace = newTrace(job)

	over, sending := make(chan struct{}), sync.WaitGroup{}
	sending.Go(func() { j.follow(ctx, over) })
	o := outcome{reason: "runner_system_failure"}
	if err == nil {
		o = j.execute(ctx, running)
	} else {
		j.trace.printf("%v", err)
	}
	j.trace.end()
	close(over)
	sending.Wait()
	if err := j.finish(ctx, o); err != nil && ctx.Err() == nil {
		r.Errorf("job %d: %v", j.ID, err)
	}
	return endedJob{job, o, j.trace.String()}
}

// execute does everything that a job consists of. Only its scripts end with running; what tidies up
// goes on until the runner itself ends.
func (j *runningJob) execute(ctx, running context.Context) outcome {
	running, stop := context.WithTimeoutCause(
		running, time.Duration(j.RunnerInfo.Timeout)*time.Second, context.DeadlineExceeded)
	defer stop()
	o, steps := outcome{}, j.Steps
	err := j.fetch(running)
	if err == nil {
		err = j.download(running)
	}
	if err != nil {
		j.trace.printf("%v", err)
		o, steps = outcome{reason: "runner_system_failure"}, nil
	}
	for _, step := range steps {
		switch {
		case step.Name == "after_script":
			if !errors.Is(context.Cause(running), errCanceled) {
				j.values["CI_JOB_STATUS"] = j.statusOf(running, o)
				_ = j.shell(ctx, step.Name, step.Script) // what it does changes nothing
			}
		case o.reason == "" && running.Err() == nil:
			o = outcomeOf(j.shell(running, step.Name, step.Script))
		}
	}
	switch cause := context.Cause(running); {
	case errors.Is(cause, errCanceled):
		return outcome{reason: "unknown_failure"}
	case errors.Is(cause, errCanceling):
		o = outcome{reason: "job_canceled"}
	case errors.Is(cause, context.DeadlineExceeded):
		o = outcome{reason: "job_execution_timeout"}
	}
	if err := j.upload(ctx, o.reason == ""); err != nil {
		j.trace.printf("%v", err)
		if o.reason == "" {
			o = outcome{"script_failure", 1}
		}
	}
	if !slices.Contains(append(j.Features.FailureReasons, ""), o.reason) {
		o.reason = "unknown_failure"
	}
	return o
}

func (j *runningJob) statusOf(running context.Context, o outcome) string {
	switch {
	case errors.Is(context.Cause(running), errCanceling):
		return "canceled"
	case o.reason != "" || running.Err() != nil:
		return "failed"
	}
	return "success"
}

// outcomeOf returns how a job ends whose script ends with an error.
func outcomeOf(err error) outcome {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return outcome{}
	case errors.As(err, &exit):
		return outcome{"script_failure", exit.ExitCode()}
	}
	return outcome{reason: "runner_system_failure"}
}

// setVariables computes the environment: what the server sent, with what only the runner knows.
// Variables of files are written, and their value is the path. References are replaced once, except
// in raw values.
func (j *runningJob) setVariables() error {
	given := map[string]string{
		"CI_SERVER": "yes", "CI_PROJECT_DIR": j.dir, "CI_BUILDS_DIR": j.builds, "CI_JOB_STATUS": "running",
		"CI_JOB_TIMEOUT": fmt.Sprint(j.RunnerInfo.Timeout), "CI_SHARED_ENVIRONMENT": "true",
	}
	literal := map[string]bool{}
	for _, v := range j.Variables {
		given[v.Key], literal[v.Key] = v.Value, v.Raw || v.File
		if v.File {
			file := filepath.Join(j.scrap, v.Key)
			if err := os.WriteFile(file, []byte(v.Value), 0o600); err != nil {
				return err
			}
			given[v.Key] = file
		}
	}
	j.values = map[string]string{}
	for name, value := range given {
		if !literal[name] {
			value = os.Expand(value, func(name string) string {
				if name == "$" {
					return name
				}
				return given[name]
			})
		}
		j.values[name] = value
	}
	return nil
}

// fetch checks the commit of the job out. The token of the job goes by a header, so that it is
// neither in the arguments of git nor in the configuration of the checkout. A job can go without.
func (j *runningJob) fetch(ctx context.Context) error {
	if j.values["GIT_STRATEGY"] == "none" {
		return nil
	}
	address, err := url.Parse(j.GitInfo.RepoURL)
	if err != nil {
		return err
	}
	password, _ := address.User.Password()
	basic := base64.StdEncoding.EncodeToString([]byte(address.User.Username() + ":" + password))
	address.User = nil
	fetch := []string{"fetch", "-q", "--no-tags", "origin"}
	if j.GitInfo.Depth > 0 {
		fetch = append(fetch, fmt.Sprint("--depth=", j.GitInfo.Depth))
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"remote", "add", "origin", address.String()},
		append(fetch, j.GitInfo.Refspecs...),
		{"checkout", "-q", "--detach", j.GitInfo.SHA},
	} {
		git := exec.CommandContext(ctx, "git", args...)
		git.Dir, git.Stdout, git.Stderr = j.dir, j.trace, j.trace
		git.Env = append(j.bareEnvironment(), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic "+basic)
		if err := git.Run(); err != nil {
			return fmt.Errorf("git %s: %w", args[0], err)
		}
	}
	return nil
}

// bareEnvironment is that of programs that are not the job's.
func (j *runningJob) bareEnvironment() []string { return []string{"PATH=" + j.path, "HOME=" + j.scrap} }

// shell runs the commands of a step with bash, which prints each of them first, and stops at the
// first that fails.
func (j *runningJob) shell(ctx context.Context, name string, commands []string) error {
	script := "set -eo pipefail\n"
	for _, command := range commands {
		first, _, several := strings.Cut(strings.TrimSuffix(command, "\n"), "\n")
		if several {
			first += " # collapsed multi-line command"
		}
		script += "printf '%s\\n' " + "'$ " + strings.ReplaceAll(first, "'", `'\''`) + "'\n" + command + "\n"
	}
	file := filepath.Join(j.scrap, name+".sh")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return err
	}
	bash := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", file)
	bash.Dir, bash.Stdout, bash.Stderr = j.dir, j.trace, j.trace
	bash.Env = j.bareEnvironment()
	for name, value := range j.values {
		bash.Env = append(bash.Env, name+"="+value)
	}
	killWithChildren(bash)
	bash.WaitDelay = 5 * time.Second
	return bash.Run()
}
