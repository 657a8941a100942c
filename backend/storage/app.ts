// What the routes of the storage service share.
import type { Hono } from 'hono'
import type { Claims } from '../keys/index.ts'

export interface StorageVariables {
  Variables: {
    /** Those of an anonymous caller, if the token is invalid but the route is for everyone. */
    claims: Claims
    /** `undefined` if the token is invalid. */
    identified: Claims | undefined
  }
}

export type StorageApp = Hono<StorageVariables>

/** The end of a path that names a file; the name may have line breaks, which are refused, or be empty. */
export const PLACE = ':bucket/:name{[\\s\\S]*}'
