// Access reviews: what accounts reach of a backend through its API, snapshots of it, and their comparison.
export { type Catalog, catalogOfOpenApi, joinCatalogs, readCatalog } from './catalog.ts'
export { causesOf, compareAccess } from './compare.ts'
export { cellText, csvOf, describeCell, findingText, markdownOf, matrixText, READS_ONLY } from './format.ts'
export { AccessReview } from './review.ts'
export { readSnapshot, snapshotOf, snapshotText } from './snapshot.ts'
export {
  type AccessAccount,
  type AccessAnswer,
  AccessError,
  type Cell,
  type Operation,
  type Review,
  type ReviewedResource,
  type Send,
} from './types.ts'
