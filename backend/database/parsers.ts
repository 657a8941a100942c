// What the values of results become in this process, by the OIDs of their types.
import type { Parsers } from './engine.ts'

const [BOOL, BYTEA, INT8, INT2, INT4, OID, JSON_TYPE, FLOAT4, FLOAT8, NUMERIC, JSONB] = [
  16, 17, 20, 21, 23, 26, 114, 700, 701, 1700, 3802,
]
const [DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, TIME_TZ] = [1082, 1083, 1114, 1184, 1266]

/** Dates and times stay text, in PostgREST's format. */
export const PARSERS: Parsers = {
  [BOOL]: text => text === 't',
  [BYTEA]: text => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  [INT8]: text => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  [NUMERIC]: text => (Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : text),
  ...Object.fromEntries([INT2, INT4, OID, FLOAT4, FLOAT8].map(type => [type, Number])),
  ...Object.fromEntries([JSON_TYPE, JSONB].map(type => [type, (text: string): unknown => JSON.parse(text)])),
  // Without these, PGlite would make a Date.
  ...Object.fromEntries([DATE, TIME, TIME_TZ].map(type => [type, (text: string) => text])),
  [TIMESTAMP]: text => text.replace(' ', 'T'),
  [TIMESTAMP_TZ]: text => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
}
