package blob

// The sizes that content is divided by.
const (
	ChunkSize = chunkSize
	BatchSize = batchSize
)
