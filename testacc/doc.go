// Package testacc tells stories of hew and hewd, end to end: hew against a running hewd, over HTTP
// and nothing else. What the engine decides is told by its own stories, in reconcile; these prove
// that it arrives.
//
// A story is testdata/NAME.txtar: a script, and the files that it works with. It makes top-level
// groups of its own, so that stories run side by side on one server; the people are the same in all
// of them. One that changes what holds for all of a server is in testdata/alone, and has a server
// of its own. Beside the commands of testscript a script may say:
//
//	persona NAME...           people who sign in; $NAME is the id of each, $NAME_token the token
//	as PERSONA                who hew works as from here on; root, the administrator, at first
//	hew ARGUMENT...           run hew, which must end with 0
//	exits CODE hew ...        run hew, which must end with CODE
//	kill9 before|after N hew ...  run hew and kill it when its Nth write is about to reach the server, or when it has
//	api PERSONA METHOD PATH [JSON] [=> NAME]  a request past hew; the answer is the output, its id becomes $NAME;
//	                          a list has to have one element then
//	answers STATUS api ...    the same, when the answer is no success
//	fault METHOD PATH DO...   what goes wrong between hew and the server from here on; mend ends it
//	held, release             wait until a request is held by a fault, and let it go
//
// requests [METHOD] print the requests of the last hew, one a line, with the status of the answer
// and what was sent
//
//	drain                     do the jobs of the server that are due
//
// nosecret VALUE neither the output of any hew so far nor a file that it left has VALUE, or a plain
// hash of it
//
// In PATH and JSON $NAME is filled in, in quotes too. The PATH of a fault is compared segment by
// segment, * being any, and the query is left out. DO is a status, with a body or the default one;
// "cut" (the request never arrives); "lose" (it is carried out, and the answer lost); "hold";
// "strip=Header,..." (the answer lacks them); "header=Name:value"; and "times=N" (it stops after N
// requests).
//
// $HEW_URL leads through the faults, $HEW_URL_PORT is its port, $EXAMPLES is the directory of the
// examples, and $soon is a day a month from now, for what may not be valid for years. How long a
// run took is cut from what hew prints, so that it can be compared with what is recorded; go test
// -update records it. Whatever a plan or drift sends but GET fails the story.
//
// The commands hew and exits run hew inside the process of the tests where that makes no difference
// (runsInside): a process costs more CPU time than most runs. "exec hew" and kill9 start the built
// hew, and so do TestSecretsAreKept, the pipelines and the tutorial.
//
// The pipeline of examples/ci for GitLab runs on hewd as its file stands, from the merge request to
// the nightly schedule; a shellRunner (runner_*_test.go) runs its jobs, and speaks nothing but the
// protocol of runners. The one for GitHub is run step by step. Notes on another host than hewd are
// told with testacc/notes (forge_test.go).
//
// Beside the stories every kind is led through its life, alone (TestLifeCycle); several at once in
// bad weather, as a seed has it (TestChaos); and all at once while hew is killed again and again
// (TestKilledAnywhere). Of the last two `make test` runs a little, and `make chaos` a lot.
// TestKilledOverItsLedger kills it over a ledger that is kept elsewhere.
package testacc
