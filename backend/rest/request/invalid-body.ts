// The error of a body that cannot be read.
import { RestError } from '../rest-error.ts'

export const invalidBody = (message: string): RestError =>
  new RestError({ status: 400, code: 'PGRST102', message })
