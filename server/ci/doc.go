// Package ci runs pipelines: it makes them of definitions, decides which of their jobs start, and
// gives those to runners. It keeps the runners, the tokens with which they register and
// authenticate, and CI/CD variables.
//
// Code that changes the state of a job must use a [Change], which holds the lock of the pipeline.
// It decides, by package status, what follows for other jobs and the pipeline, and emits one event,
// [Changed], for other domains. No code locks a job before its pipeline, or two pipelines at once;
// what concerns another pipeline is a task of the queue.
//
// # Creation
//
// [Create] makes a pipeline of an [Order]. A push and a merge request store what they may need one
// for, and a task of the queue creates it after their commit: they do not wait for files of other
// hosts, and a process that dies loses none.
//
// # Runners
//
// A runner asks for a job by [TakeJob], or waits for one by [AwaitJob]: the waiting ones are in
// memory, and a notification of Postgres tells every process of new jobs. [ReadWork] is what it
// then has to know. It tells of the job by [AppendTrace], [StoreArtifact] and [EndJob], beside the
// lock of the pipeline until the job ends. What a runner writes to a job's row meanwhile (the size
// of the trace, the last contact) no [Change] writes. [WatchJobs] ends abandoned jobs.
//
// # Storage
//
// Jobs with equal definitions share one stored definition. Tokens are stored as digests, and values
// of variables are sealed.
package ci
