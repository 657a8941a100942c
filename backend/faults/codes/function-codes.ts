// Error codes that the functions gateway returns instead of a function's response.
import type { KnownCodes } from './known-codes.ts'

export const FUNCTION_CODES: KnownCodes = {
  BOOT_ERROR: [503, 'Function failed to start (please check logs)'],
  EDGE_FUNCTION_ERROR: [500, 'The function failed'],
  IDLE_TIMEOUT: [504, 'The function did not respond in time'],
  NOT_FOUND: [404, 'Requested function was not found'],
  UNAUTHORIZED_INVALID_JWT_FORMAT: [401, 'Invalid JWT'],
  UNAUTHORIZED_NO_AUTH_HEADER: [401, 'Missing authorization header'],
  WORKER_ERROR: [500, 'Function exited due to an error (please check logs)'],
  WORKER_LIMIT: [546, 'Function failed due to not having enough compute resources (please check logs)'],
}
