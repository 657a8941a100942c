// JSON as a type.

/** A value that `JSON.stringify` preserves. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Whether this JSON is an array; `Array.isArray` does not narrow a read-only one. */
export function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
