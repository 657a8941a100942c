// What is known of a backend's tables and functions, and how it is found out.
export { findKey, keyCandidates, keyStoreOf, withKey } from './find-key.ts'
export { startTableSearch, type TableSearch } from './find-tables.ts'
export { givenSchemaOf } from './kept-schema.ts'
export { type LoadedSchema, loadSchema, type SchemaSource } from './load-schema.ts'
