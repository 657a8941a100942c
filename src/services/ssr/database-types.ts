// Types of databases, as @supabase/ssr takes them.

/** The database of a client without types. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDatabase = any

/** Names of the database's schemas. */
export type SchemaOf<Database> = string & keyof Omit<Database, '__InternalSupabase'>

/** The schema of queries unless an app names another one. */
export type DefaultSchema<Database> = 'public' extends SchemaOf<Database> ? 'public' : SchemaOf<Database>
