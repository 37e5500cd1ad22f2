# Everything that is run on this repository. Continuous integration runs `check` and `test`, as .ci/run says.

.DEFAULT_GOAL := help
SHELL         := /bin/bash

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)

# git and the server programs of Postgres, fetched first where there are none. Expanded only by the recipes that need them.
PROGRAMS = HEWD_PG_BIN="$$(.ci/postgres)" && git="$$(.ci/git)" && export HEWD_PG_BIN PATH="$$git:$$PATH"

# The packages whose tests rewrite their golden files when given -update; the others do not know the flag.
GOLDEN = $$(grep -rl --include='*.go' 'flag.Bool("update"' . | xargs -r dirname | sort -u)

.PHONY: help
help: ## list these targets
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: build
build: ## bin/hew and bin/hewd
	CGO_ENABLED=0 go build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

.PHONY: demo
demo: ## a server, a configuration applied to it, drift found and put right; Ctrl-C ends it
	@.ci/demo

# Without go test's own vet, which takes a tenth of the time: check runs all of it.
.PHONY: test
test: ## every test of the module, the end-to-end stories included
	@.ci/slapd && .ci/chromium && .ci/lfs && $(PROGRAMS) && go test -vet=off -timeout 10m ./...

.PHONY: testacc
testacc: ## only the end-to-end stories: hew against hewd
	@$(PROGRAMS) && go test -count 1 -v ./testacc/...

.PHONY: check
check: format vet tidy cross lint arch verify ## everything that needs no test run: format, vet (for other systems too), go.mod, staticcheck, imports, generated files

.PHONY: format vet tidy cross lint arch
format:
	@stale=$$(gofmt -l $$(find . -name '*.go' -not -path './.git/*')); \
	 [[ -z $$stale ]] || { echo "not formatted; run: gofmt -w" $$stale; exit 1; }
vet:
	go vet ./...
tidy:
	go mod tidy -diff
cross:
	GOOS=windows go vet ./... && GOOS=darwin go vet ./...
lint:
	go tool staticcheck ./...
arch:
	go test -count 1 .

.PHONY: bench
bench: ## hew on 1,000 and 10,000 objects, hewd beside a bare handler and pgbench, with their bars
	@$(PROGRAMS) && go test -v -p 1 -timeout 10m -run '^$$' -bench . -benchtime 1x ./...

.PHONY: chaos
chaos: ## hew in bad weather and random edits, 200 times each, and hew and hewd killed at a hundred points and more
	@$(PROGRAMS) && go test -count 1 -v -timeout 30m -parallel 8 -run 'TestChaos|TestKilledAnywhere|TestRandomEdits' \
	    ./testacc -seeds 200 -lives 12 -edit-seeds 200
	@$(PROGRAMS) && go test -count 1 -v -timeout 60m ./cmd/hewd -kills 100 -ci-kills 40 -transfer-kills 20 -mirror-kills 60 \
	    -run 'TestKilledHewd|TestKilledCI|TestKilledTransfers|TestKilledImport|TestKilledMirrors'
	@$(PROGRAMS) && go test -count 1 -v -timeout 20m -run TestMergeAtOnce ./server/merge/api -pairs 50

.PHONY: conformance
conformance: ## a thousand random API and git operations, and 500 merges, compared with git; a tree of 100,000 files; a hundred random projects exported and imported
	@$(PROGRAMS) && go test -count 1 -v -timeout 60m -run 'TestConformance|TestCorpus' ./server/code/api \
	    -ops 1000 -corpus-files 100000 -corpus-refs 3000
	@$(PROGRAMS) && go test -count 1 -v -timeout 20m -run TestMergeCorpus ./server/code -merge-cases 500
	@$(PROGRAMS) && go test -count 1 -timeout 30m -run TestRoundTripOfRandomProjects ./server/transfer/api \
	    -round-seeds 100 -round-steps 150

# GITLAB_RUNNER names the program of a runner, NUGET_EXE a nuget.exe 5, as the npm package nuget-exe@5.8.0 has it, and
# NUGET_V2_EXE one of version 2, which Debian's package nuget puts in /usr/lib/nuget/NuGet.exe; both need mono-complete. Tests
# whose client is not named say that they are skipped.
.PHONY: clients
clients: ## pipelines and packages of hewd, run and used by the stock clients that are named
	@$(PROGRAMS) && go test -count 1 -v -timeout 10m -run 'TestStock(Runner|Client|OldClient)' ./server/ci/api ./server/packages/api

.PHONY: fuzz
fuzz: ## every fuzz target for ten seconds
	@.ci/fuzz

.PHONY: update
update: ## rewrite the golden files from what the code does now; read the diff
	@$(PROGRAMS) && go test -count 1 $(GOLDEN) -update

.PHONY: pictures
pictures: ## take the picture of the HTML report in README.md again
	@.ci/chromium && go test -count 1 ./cmd/hew/view -run 'TestReportPicture' -pictures

.PHONY: generate
generate: ## rewrite the generated files
	go generate ./...

.PHONY: verify
verify: ## fail if a generated file is stale
	@.ci/generated

.PHONY: dist disttest
dist: ## a release in dist: archives for every system, Debian packages, bills of materials, checksums
	@.ci/dist '$(VERSION)'
disttest: ## that a release is the same when it is made again, and that its packages install and run
	@.ci/disttest '$(VERSION)'

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist
