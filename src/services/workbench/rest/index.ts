// REST calls of the workbench: requests, errors, and how to copy them as code.
export type { AnyDatabase, AnyDataClient } from './any-database.ts'
export type { CallSpec } from './call-spec.ts'
export { type CopiedCall, copyAs } from './copy-as.ts'
export {
  type DataFailure,
  explainCall,
  explainFailure,
  type FailedCall,
  type RestError,
  restErrorIn,
} from './explain-failure.ts'
export { callRest, describeSchema, type SchemaDescription, sendRest } from './rest.ts'
