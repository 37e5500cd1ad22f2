// Package code keeps git repositories in Postgres and serves them: the code of projects, the
// wikis of projects and groups, and the files of snippets. A [Place] says which one is meant.
//
// # What is stored
//
// The rows are the truth, and everything on disk is a copy that can vanish at any time:
//
//   - refs are rows, changed by compare-and-swap;
//   - packs that clients send are kept as they came, as two blobs (pack and index). A fork links
//     the packs of its source;
//   - objects that come one by one, from commits of the API, are rows until a job packs them;
//   - commits and commit_paths are an index of all commits: lists, logs of a path and the graph in
//     memory are made from them without reading an object.
//
// A directory for each repository holds its packs for the git program, which sends and receives
// packs, merges, diffs and blames. Go does the rest: refs, the wire commands, reading objects,
// editing trees, the graph and the history of paths.
//
// # How refs change
//
// Every change goes through [Push]: rules, objects, index, refs and events, in one transaction.
// Code that reacts to a push subscribes to [Pushed].
//
// # How requests are merged
//
// [Land] and [RebaseBranch] make commits and move a branch by that way too, in the transaction of
// the caller, after they have locked the branch. git merges in a directory beside the objects of a
// copy, and what it writes there becomes rows. A source branch of a fork is brought by
// [FetchCommits] before. Hidden refs, set by [SetHiddenRefs], keep the commits of requests; they
// have neither rules nor events.
//
// # What is new
//
// Postgres assigns row ids before the commit, so a larger id is not a later commit. Rows that
// processes copy have written_by, the id of their transaction, and a copy remembers the oldest
// transaction that was open when it was made. Rows at or after that one are read again. Some rows
// are read twice; none is missed.
//
// # How objects go
//
// [Housekeeping] joins small packs and collects garbage. An object that no ref reaches, hidden ones
// included, moves to a pack of garbage, and goes when it was there for two weeks; a task of the API
// lets it go at once. Packs are written while pushes go on; the last step locks the repository,
// looks at what came since, and exchanges the packs. If it removes objects it moves gc_epoch on.
// Copies, graphs and cached objects belong to an epoch, so that no process needs to be told; a push
// that was checked in an earlier epoch is checked again in the new one.
//
// # What a fork gets
//
// A fork has the branches and tags of its parent, or the branches that were asked for, and exactly
// the objects that they reach. Where those are all that the parent has, [Fork] links its packs and
// copies its rows. Else, and that is after a deleted branch until garbage was collected, and while
// hidden refs reach more, git writes one pack for the fork: whoever can read a repository can read
// every object of it by its id. A later fork of the same refs has the same pack, and so the same
// blobs. Links to large files are copied, whether a pointer is reached or not.
package code
