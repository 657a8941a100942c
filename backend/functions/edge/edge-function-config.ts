// What the service needs to know of a project's Edge Functions.

/** One Edge Function; all paths are absolute. */
export interface EdgeFunctionConfig {
  readonly name: string
  /** The module that calls `Deno.serve`, or whose default export has a `fetch`. */
  readonly entrypoint: string
  /** Whether the caller needs a valid token in `Authorization`. */
  readonly verifyJwt: boolean
  /** A `deno.json` or an import map. */
  readonly importMap: string | undefined
  /** Files and folders outside of `supabase/functions` that the function may read. */
  readonly staticFiles: readonly string[]
}

/** The Edge Functions of a project. */
export interface EdgeFunctionsConfig {
  /** The folder `supabase/functions`. */
  readonly folder: string
  /** The functions as they are now: files may have been added or removed since the start. */
  list(): readonly EdgeFunctionConfig[]
  /** Environment variables of `[edge_runtime.secrets]`. */
  readonly secrets: Readonly<Record<string, string>>
}
