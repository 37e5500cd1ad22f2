package jobs

// ProcessLock is processLock.
const ProcessLock = processLock
