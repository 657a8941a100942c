// All rows in order.
import { pageRows } from './rows-page.ts'
import { realtimeRows } from './rows-realtime.ts'
import { sessionRows } from './rows-session.ts'
import type { Row } from './row.ts'

export const rows: readonly Row[] = [...sessionRows, ...pageRows, ...realtimeRows]
