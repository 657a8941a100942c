// Workbench-only entry, not part of the package: automatic retries for the workbench pages.
export { createRetries, type Retries } from './services/workbench/jobs/retries.ts'
