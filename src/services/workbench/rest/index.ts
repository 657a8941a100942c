// REST calls of the workbench: requests, errors, and how to copy them as code.
export type { AnyDatabase, AnyDataClient } from './any-database.ts'
export type { CallSpec } from './call-spec.ts'
export { type CopiedCall, copyAs } from './copy-as.ts'
export { explainCall, type FailedCall } from './failed-call.ts'
export type { DataFailure } from './rest-failure.ts'
export { callRest } from './rest.ts'
export { schemasIn } from './served-schemas.ts'
