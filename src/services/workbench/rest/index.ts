// REST calls of the workbench: requests, errors, and how to copy them as code.
export type { AnyDatabase, AnyDataClient } from './any-database.ts'
export type { CallSpec } from './call-spec.ts'
export { type CopiedCall, copyAs } from './copy-as.ts'
export type { DataFailure } from './explain-failure.ts'
export { explainCall, explainFailure, type FailedCall } from './failed-call.ts'
export { callRest, exposedSchemas } from './rest.ts'
export { probeTable } from './probe-table.ts'
