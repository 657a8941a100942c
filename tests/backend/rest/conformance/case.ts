// A request and what PostgREST 14 answers, by its documentation and release notes.

export interface Case {
  /** File and heading of the documentation: `tables_views: operators`. */
  readonly section: string
  /** Absent: the request's line says enough. */
  readonly name?: string
  readonly request: CaseRequest
  readonly expect: Expected
  /** What a query of the owner returns after the request. */
  readonly after?: { readonly sql: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  /** `alter role authenticator set pgrst.…` around the request, in addition to the fixture's. */
  readonly settings?: Readonly<Record<string, string>>
}

interface CaseRequest {
  /** GET by default. */
  readonly method?: string
  /** After `/rest/v1`; starts with a slash. */
  readonly path: string
  /** Several values are sent as several headers. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A text is sent unchanged, as JSON unless the headers have another type. */
  readonly body?: unknown
  readonly role?: 'anon' | 'authenticated' | 'service_role'
}

export interface Expected {
  readonly status: number
  /** The body's JSON, by deep equality. */
  readonly json?: unknown
  /** A part of the body's JSON: objects may have more members; an object may name elements of an array by their index. */
  readonly part?: unknown
  /** The exact body. */
  readonly text?: string
  /** By names in lower case; `null`: the header is absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  /** Members that are absent here may have any value. */
  readonly error?: {
    readonly code: string
    readonly message?: string | RegExp
    /** An array is compared in any order. */
    readonly details?: unknown
    readonly hint?: string | RegExp | null
  }
}

type Rest = Omit<Case, 'section' | 'request' | 'expect'> & {
  readonly role?: Case['request']['role']
  readonly headers?: Case['request']['headers']
}

/** Reads and their rows: most cases are no more than that. */
export function reads(
  section: string,
  ...rows: readonly (readonly [path: string, json: unknown, rest?: Rest])[]
): Case[] {
  return rows.map(([path, json, { role, headers, ...rest } = {}]) => ({
    section,
    ...rest,
    request: { path, ...(role && { role }), ...(headers && { headers }) },
    expect: { status: 200, json },
  }))
}

/** Reads that are refused. */
export function refuses(
  section: string,
  ...rows: readonly (readonly [path: string, status: number, error: NonNullable<Expected['error']>])[]
): Case[] {
  return rows.map(([path, status, error]) => ({ section, request: { path }, expect: { status, error } }))
}
