// The functions service: modules of this process, and a project's Edge Functions in Deno.
export { createFunctions, DEMO_FUNCTIONS, type FunctionContext } from './module-functions.ts'
export { createEdgeFunctions, type EdgeFunctions } from './edge/edge-functions.ts'
export type { EdgeFunctionConfig, EdgeFunctionsConfig } from './edge/edge-function-config.ts'
export { denoAt, findDeno, INSTALL_DENO, type Deno } from './edge/deno.ts'
export type { FunctionLogLine } from './edge/function-log.ts'
