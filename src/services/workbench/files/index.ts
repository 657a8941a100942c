// Buckets, folders, file jobs and uploads.
export { type Batch, relocating, removing } from './batches.ts'
export { type BucketDraft, bytesOf, draftFaults, draftOf, typesOf, writtenSchema } from './bucket-draft.ts'
export { endWords, isBusy, isJobOver, leftOf } from './job.ts'
export { folderSize, type FolderSize } from './folder-size.ts'
export { isPdf, isShownAtOnce, type PreviewType as Look, lookOf, readable } from './kinds.ts'
export {
  addressed,
  crumbs,
  type FileEntry,
  type FileSort,
  findEntries,
  FOLDER_MARKER,
  folderFault,
  folderOf,
  joinPath,
  nameFault,
  nameOf,
  safeName,
  type SortColumn,
  sortEntries,
  type StoredObject,
  toEntries,
} from './listing.ts'
export {
  OwnUploads,
  inOrder,
  isOver,
  needsAttention,
  percentOf,
  phaseWords,
  totalPercent,
  uploadSummary,
} from './uploads.ts'
export { type Bucket, readBuckets } from './read-files.ts'
export { type SpeedSamples, speedText, withSample } from './upload-speed.ts'
export { downloadSpec, listSpec } from './specs.ts'
export { filesWithin, listFolder, movedPath, type Within } from './tree.ts'
